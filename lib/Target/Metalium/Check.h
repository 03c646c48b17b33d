// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refuses programs that have no counterpart in the vendor's API.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_CHECK_H
#define DRAWLOOM_LIB_TARGET_METALIUM_CHECK_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Task/Task.h"

namespace drawloom::metalium {

/// What this lets pass, the printers can print.
mlir::LogicalResult check(task::ProgramOp program, const MachineModel &model);

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_CHECK_H
