// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over a simulation's threads, and the names of its counters.
#include "drawloom/Sim/SimResult.h"
#include <numeric>

namespace drawloom::sim {

llvm::StringRef stringify(SimThread thread) {
  static constexpr llvm::StringLiteral names[] = {"dm0", "dm1", "math", "pack"};
  return names[static_cast<size_t>(thread)];
}

llvm::StringRef stringify(Stall stall) {
  static constexpr llvm::StringLiteral names[kStallCount] = {
      "data", "space", "reads", "writes", "semaphore", "issue", "math", "dst"};
  return names[static_cast<size_t>(stall)];
}

double ThreadTime::stalled() const {
  return std::accumulate(stalls.begin(), stalls.end(), 0.0);
}

ThreadTime &ThreadTime::operator+=(const ThreadTime &other) {
  busy += other.busy;
  for (int i = 0; i < kStallCount; ++i)
    stalls[i] += other.stalls[i];
  return *this;
}

ThreadTime SimResult::total(SimThread thread) const {
  ThreadTime sum;
  for (size_t i = static_cast<size_t>(thread); i < threads.size();
       i += kThreadsPerCore)
    sum += threads[i];
  return sum;
}

} // namespace drawloom::sim
