// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// L1 bytes of a candidate, buffer by buffer.

#ifndef DRAWLOOM_PLAN_FOOTPRINT_H
#define DRAWLOOM_PLAN_FOOTPRINT_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Plan/Space.h"

namespace drawloom::plan {

/// One buffer: `depth` times so many tiles.
struct BufferBytes {
  std::string name; ///< of its array, or of what computes it
  int64_t tiles, depth, tileBytes;
  int64_t bytes() const { return tiles * depth * tileBytes; }
};

/// The buffers a candidate needs in every core's L1: one per load, result,
/// accumulator that Dst cannot hold and, in general programs, value between
/// operations.
std::vector<BufferBytes> buffersOf(const Problem &problem, const Candidate &candidate,
                                   const MachineModel &machine);

/// What they take together, one after another.
int64_t totalBytes(llvm::ArrayRef<BufferBytes> buffers);

/// L1 bytes a program may use.
int64_t usableBytes(const MachineModel &machine);

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_FOOTPRINT_H
