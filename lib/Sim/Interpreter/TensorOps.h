// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of linalg and tensor on tiles.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_TENSOROPS_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_TENSOROPS_H

#include "TileValue.h"
#include "drawloom/Sim/Interpreter/Policy.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace drawloom {

/// The result of one operation of linalg or tensor; nothing when `op` is none
/// of those the interpreter knows. `operands` are its operands in order.
std::optional<TileValue> tensorOp(mlir::Operation *op,
                                  llvm::ArrayRef<TileRef> operands,
                                  const Policy &policy);

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_TENSOROPS_H
