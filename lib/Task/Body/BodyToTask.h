// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any mapped program's body to the programs of a core's engines.

#ifndef DRAWLOOM_LIB_TASK_BODY_BODYTOTASK_H
#define DRAWLOOM_LIB_TASK_BODY_BODYTOTASK_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Task/Task.h"
#include "drawloom/Tile/Tile.h"

namespace drawloom::task {

/// The task program of a mapped tile program, created at `builder`'s insertion
/// point. Fails, with errors at the operations that have no lowering.
mlir::FailureOr<ProgramOp> bodyToTask(tile::ProgramOp program, const MachineModel &model,
                                      mlir::OpBuilder &builder);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_BODYTOTASK_H
