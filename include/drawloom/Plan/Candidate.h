// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One point of the planning space: where, when, and how data travels.

#ifndef DRAWLOOM_PLAN_CANDIDATE_H
#define DRAWLOOM_PLAN_CANDIDATE_H

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <string>

namespace drawloom::plan {

/// A digit of a grid dimension: over machine dimension `axis`, or over time.
struct Digit {
  int dim;
  int axis; ///< -1: a wave
  int64_t size;
};

/// A spatiotemporal mapping (section 2.2 of TileLoom): all digits, outermost
/// first.
struct Mapping {
  llvm::SmallVector<Digit> digits;

  /// Wave digits with more than one value, outermost first: the outer nest.
  llvm::SmallVector<Digit> waves() const;
  int64_t waveCount() const;
  /// Cores used along a machine dimension.
  int64_t used(int axis) const;
  /// Whether no other digit of the same dimension moves faster.
  bool isInnermost(const Digit &digit) const;
  /// The grid dimensions spread over a machine dimension.
  llvm::SmallVector<int> dimsOn(int axis) const;
};

/// How one load reaches the cores (section 2.3 of TileLoom).
struct Travel {
  unsigned along = 0; ///< bit per machine dimension; 0: every core for itself
  bool group = false; ///< every receiver reads and sends a part
  int network = 0;
  friend bool operator==(const Travel &, const Travel &) = default;
};

/// How one load is served.
struct LoadChoice {
  Travel travel;
  int hoist = 0;     ///< innermost loops it is issued outside of
  int64_t depth = 2; ///< deliveries that its buffer holds
};

/// What a candidate is expected to take, in cycles but for bytes.
struct Estimate {
  double total = 0;   ///< with the launch
  double compute = 0; ///< of the compute engine, with what it waits for alone
  std::array<double, 2> mover = {0, 0}; ///< per network's data mover
  double dram = 0;  ///< all banks together
  double links = 0; ///< the busiest link
  double fill = 0;  ///< before the first tile is computed, and after the last
  double launch = 0;
  double dramBytes = 0; ///< read and written
  int64_t l1Bytes = 0;  ///< of buffers, in every core
  /// The resource that bounds the total.
  const char *bound = "";
};

/// A mapping with the ways its loads travel, and what it is expected to take.
struct Candidate {
  Mapping mapping;
  /// Per loop of the problem: iterations on the core that has most of them, a
  /// mean over its waves.
  llvm::SmallVector<double> trips;
  int64_t chunk = 1; ///< iterations of the reduction loop per delivery
  llvm::SmallVector<LoadChoice> loads; ///< per load, in program order
  Estimate estimate;
};

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_CANDIDATE_H
