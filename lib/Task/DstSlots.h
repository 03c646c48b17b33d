// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which Dst tiles are live together.

#ifndef DRAWLOOM_LIB_TASK_DSTSLOTS_H
#define DRAWLOOM_LIB_TASK_DSTSLOTS_H

#include "drawloom/Task/Task.h"

namespace drawloom::task {

/// Slots of the registers of one half of Dst.
struct DstSlots {
  llvm::SmallVector<std::pair<RegisterOp, int64_t>> slots; ///< first tile of each
  int64_t tiles = 0; ///< that are needed
};

/// Places the registers of `dst` by linear scan: a register's tiles are taken
/// from its first use to its last, loops that carry its value included; from the
/// start of `dst` if an operation combines with them, so that they are zero.
DstSlots placeRegisters(DstOp dst);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_DSTSLOTS_H
