// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract of the logical state.

#include "drawloom/Task/TaskPasses.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

LogicalResult drawloom::task::verifyLogical(ProgramOp program, const MachineModel &model) {
  return success();
}
