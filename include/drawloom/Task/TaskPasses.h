// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From mapped tile programs to physical task programs, and the checks between.

#ifndef DRAWLOOM_TASK_TASKPASSES_H
#define DRAWLOOM_TASK_TASKPASSES_H

#include "drawloom/Machine/Machine.h"
#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Task/Task.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace drawloom::task {

/// The logical task program of a mapped tile program, created at `builder`'s
/// insertion point. Its grid is the cores the mapping uses. Fails, with errors
/// at the operations that have no lowering, and may then leave a partial
/// program behind.
mlir::FailureOr<ProgramOp> tileToTask(tile::ProgramOp program, const MachineModel &model,
                                      mlir::OpBuilder &builder);

/// The contract of the logical state.
mlir::LogicalResult verifyLogical(ProgramOp program, const MachineModel &model);

/// Makes a logical program physical. Fails, with an error that lists every
/// buffer and its bytes, when L1 is too small.
mlir::LogicalResult allocate(ProgramOp program, const MachineModel &model);

/// The contract of the physical state, on top of the logical one (which it
/// does not check again).
mlir::LogicalResult verifyPhysical(ProgramOp program, const MachineModel &model);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "drawloom/Task/TaskPasses.h.inc"

} // namespace drawloom::task

#endif // DRAWLOOM_TASK_TASKPASSES_H
