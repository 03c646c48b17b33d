// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas the vector unit has a function of its own for.

#ifndef DRAWLOOM_LIB_TASK_FUSION_H
#define DRAWLOOM_LIB_TASK_FUSION_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace drawloom::task {

struct FusedFunction {
  llvm::StringRef function;
  mlir::Value operand;
};

/// The function that `op` is the last step of: `0.5 * x * (1 + erf(x / sqrt(2)))`
/// is gelu, in any order of its factors.
std::optional<FusedFunction> fusedFunction(mlir::Operation *op);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_FUSION_H
