// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the buffer steps of a core's engines against each other.

#ifndef DRAWLOOM_LIB_TASK_BUFFERFLOW_H
#define DRAWLOOM_LIB_TASK_BUFFERFLOW_H

#include "drawloom/Task/Task.h"

namespace drawloom::task {

/// Runs the reserves, pushes, waits and pops of all kernels of a core, in their
/// order and as often as their loops say; of every core, if cores differ.
/// Engines that communicate by buffers alone end in the same state whatever
/// their speed, so one run decides. Fails, with an error at the step, when
/// engines wait for each other for ever, when a push or pop has nothing
/// reserved or waited for, or when a buffer is not empty at the end. Signals
/// between cores are taken to arrive. Where data decides what an engine does
/// next, the rest is left to the simulator.
mlir::LogicalResult verifyBufferFlow(ProgramOp program);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BUFFERFLOW_H
