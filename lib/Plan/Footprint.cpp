// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// L1 bytes of a candidate, buffer by buffer.

#include "drawloom/Plan/Footprint.h"

using namespace llvm;

namespace drawloom::plan {

std::vector<BufferBytes> buffersOf(const Problem &problem, const Candidate &candidate,
                                   const MachineModel &machine) {
  std::vector<BufferBytes> buffers;
  size_t load = 0;
  for (const Access &access : problem.accesses) {
    if (access.isStore) {
      buffers.push_back({access.array, access.tiles, 1, access.tileBytes});
      continue;
    }
    const LoadChoice &choice = candidate.loads[load++];
    Nest nest = nestOf(access, problem, candidate.mapping, candidate.chunk);
    buffers.push_back({access.array, access.tiles * nest.footprint(choice.hoist),
                       choice.depth, access.tileBytes});
  }
  for (const Work &work : problem.works)
    if (work.kind == Work::Product &&
        work.outTiles > machine.dstTiles(problem.dst32).value_or(0))
      buffers.push_back({"accumulator", work.outTiles, 1,
                         tileBytes(problem.dst32 ? Format::FP32 : Format::BF16)});
  return buffers;
}

int64_t totalBytes(ArrayRef<BufferBytes> buffers) {
  int64_t total = 0;
  for (const BufferBytes &buffer : buffers)
    total += buffer.bytes();
  return total;
}

int64_t usableBytes(const MachineModel &machine) {
  return machine.local().size - machine.local().reserved;
}

} // namespace drawloom::plan
