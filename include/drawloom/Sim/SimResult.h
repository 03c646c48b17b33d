// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a simulation measured.
#ifndef DRAWLOOM_SIM_SIMRESULT_H
#define DRAWLOOM_SIM_SIMRESULT_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace drawloom::sim {

/// The threads of a core that run on their own: the compute engine is two, one
/// that unpacks and computes, one that packs.
enum class SimThread : uint8_t { DM0, DM1, Math, Pack };
inline constexpr int kThreadsPerCore = 4;

llvm::StringRef stringify(SimThread thread);

/// What a thread waits for. Data: tiles in a buffer. Space: room in a buffer.
/// Reads, Writes: its own transfers. Semaphore: a count. Issue: the network
/// interface to take a transfer. Math: a computed half of Dst. Dst: a free one.
enum class Stall : uint8_t {
  Data,
  Space,
  Reads,
  Writes,
  Semaphore,
  Issue,
  Math,
  Dst
};
inline constexpr int kStallCount = 8;

llvm::StringRef stringify(Stall stall);

/// Cycles of one thread, or of several together.
struct ThreadTime {
  double busy = 0;
  std::array<double, kStallCount> stalls = {};
  double stalled() const;
  ThreadTime &operator+=(const ThreadTime &other);
};

struct BankTraffic {
  int64_t readBytes = 0;
  int64_t writeBytes = 0;
  double busyCycles = 0;
};

struct LinkTraffic {
  int64_t bytes = 0; ///< payload
  double busyCycles = 0;
};

struct SimResult {
  /// From the launch's first instruction to the last thread's end.
  double cycles = 0;
  /// Cost of the launch itself, before `cycles`, for a program without
  /// per-core arguments.
  double launchCycles = 0;
  /// Launch and cycles at the machine's clock.
  double microseconds = 0;
  /// One thread of the host converting arrays to pages and those written back:
  /// bytes over the machine's rate; 0 and a note where it states none. Not part
  /// of `microseconds`.
  double layoutMicroseconds = 0;

  int64_t dramReadBytes = 0;
  int64_t dramWriteBytes = 0;
  /// Payload entering the network; a multicast counts once.
  int64_t nocBytes = 0;
  /// Payload times the links it crossed.
  int64_t nocByteHops = 0;
  /// L1 taken by buffers in every core.
  int64_t peakL1Bytes = 0;
  /// 2 * 32^3 for each tile product.
  int64_t flops = 0;

  int64_t columns = 0, rows = 0;
  /// [(y * columns + x) * kThreadsPerCore + thread]
  std::vector<ThreadTime> threads;
  std::vector<LinkTraffic> links; ///< by LinkId
  std::vector<BankTraffic> banks;

  int64_t events = 0;
  int64_t instructions = 0;
  std::vector<std::string> notes;

  /// Cycles of the math threads by what they ran, largest first: an operation
  /// as its set-up names it without formats ("matmul block [1, 4, 2]", "sfpu
  /// exp"), and "set-ups" for all of them.
  std::vector<std::pair<std::string, double>> math;

  /// One kind of thread over all cores.
  ThreadTime total(SimThread thread) const;
};

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_SIMRESULT_H
