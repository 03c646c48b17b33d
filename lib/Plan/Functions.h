// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine's names of operations on lanes.

#ifndef DRAWLOOM_LIB_PLAN_FUNCTIONS_H
#define DRAWLOOM_LIB_PLAN_FUNCTIONS_H

#include "drawloom/Machine/Formats.h"
#include "mlir/IR/Operation.h"

namespace drawloom::plan {

/// The vector unit's name for an operation, as MachineModel::sfpuCycles has it,
/// with the operand at `constant` a number in every lane; empty for those that
/// cost nothing of their own.
llvm::StringRef functionOf(mlir::Operation *op, std::optional<unsigned> constant);

/// The matrix unit's operation of that name, if it has one.
std::optional<TileOp> matrixOperation(llvm::StringRef function);

} // namespace drawloom::plan

#endif // DRAWLOOM_LIB_PLAN_FUNCTIONS_H
