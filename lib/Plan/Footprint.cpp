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
    if (!access.wholeTiles)
      buffers.push_back({access.array + " line", 1, 1, access.tileBytes});
    if (access.isStore) {
      // The next tiles are made while the last are written.
      bool repeats = nestOf(access, candidate).deliveries(0) > 1;
      buffers.push_back({access.array, access.tiles, repeats ? 2 : 1, access.tileBytes});
      continue;
    }
    const LoadChoice &choice = candidate.loads[load++];
    Nest nest = nestOf(access, candidate);
    buffers.push_back({access.array, access.tiles * nest.footprint(choice.hoist),
                       choice.depth, access.tileBytes});
  }
  for (const Resident &resident : problem.residents)
    buffers.push_back({resident.name, resident.tiles, resident.copies, resident.tileBytes});
  for (const Stage &stage : problem.stages)
    if (problem.isSimple && stage.head == Stage::Product &&
        stage.tiles > machine.dstTiles(problem.dst32).value_or(0))
      buffers.push_back({"accumulator", stage.tiles, 1,
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
