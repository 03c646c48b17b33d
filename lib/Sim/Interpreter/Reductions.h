// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans: operations that combine the elements along axes.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_REDUCTIONS_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_REDUCTIONS_H

#include "TileValue.h"
#include "drawloom/Sim/Interpreter/Policy.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace drawloom {

/// The results of an operation; empty when its body holds one the interpreter
/// does not know.
using TileValues = std::vector<TileValue>;

/// `operands`: the inputs, then what each reduction starts from.
TileValues reduce(mlir::linalg::ReduceOp op, llvm::ArrayRef<TileRef> operands,
                  const Policy &policy);

TileValues scan(tile::ScanOp op, llvm::ArrayRef<TileRef> operands,
                const Policy &policy);

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_REDUCTIONS_H
