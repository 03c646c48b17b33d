// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a load's tiles travel: which mover brings them, and who shares them.

#ifndef DRAWLOOM_LIB_TASK_TRAVEL_H
#define DRAWLOOM_LIB_TASK_TRAVEL_H

#include "Delivery.h"

namespace drawloom::task {

/// Sets the delivery's mover and multicast from its load. Fails, with an error
/// at the load, where the plan asks for what its block or the machine do not
/// allow.
mlir::LogicalResult addTravel(Delivery &delivery, const Schedule &schedule, const MachineModel &model);

/// Creates the counters of a multicast delivery, whose buffer is there.
void createSemaphores(Delivery &delivery, mlir::OpBuilder &builder);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_TRAVEL_H
