// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simulated time: whole ticks, so that sums do not depend on their order.
#ifndef DRAWLOOM_LIB_SIM_TIME_H
#define DRAWLOOM_LIB_SIM_TIME_H

#include <cmath>
#include <cstdint>

namespace drawloom::sim {

/// 1/256 of a cycle.
using Time = int64_t;
inline constexpr double kTicksPerCycle = 256;

inline Time toTicks(double cycles) {
  return static_cast<Time>(std::llround(cycles * kTicksPerCycle));
}
inline double toCycles(Time time) { return time / kTicksPerCycle; }

/// Bytes per cycle; an unbounded rate takes no time.
class Rate {
public:
  Rate() = default;
  explicit Rate(double bytesPerCycle)
      : ticksPerByte(kTicksPerCycle / bytesPerCycle) {}
  Time operator()(int64_t bytes) const {
    return static_cast<Time>(bytes * ticksPerByte + 0.5);
  }

private:
  double ticksPerByte = 0;
};

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_TIME_H
