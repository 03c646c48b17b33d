// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a program as they are at one moment, without their strides.

#ifndef DRAWLOOM_DRIVER_SNAPSHOT_H
#define DRAWLOOM_DRIVER_SNAPSHOT_H

#include "drawloom/Task/Task.h"
#include <cstddef>
#include <vector>

namespace drawloom {

/// Copies of each `task.array` of `program`, in order: row-major and without
/// gaps. `pointers` are the arguments' pointers in the same order. O(elements).
std::vector<std::vector<std::byte>> snapshot(task::ProgramOp program,
                                             llvm::ArrayRef<std::byte *> pointers);

} // namespace drawloom

#endif // DRAWLOOM_DRIVER_SNAPSHOT_H
