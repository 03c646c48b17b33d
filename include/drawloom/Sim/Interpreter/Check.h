// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what a machine left in memory with the reference.

#ifndef DRAWLOOM_SIM_INTERPRETER_CHECK_H
#define DRAWLOOM_SIM_INTERPRETER_CHECK_H

#include "drawloom/Sim/Interpreter/Interpret.h"

namespace drawloom {

/// The comparison of one array. The worst element is the one whose error is
/// the largest multiple of its bound.
struct CheckResult {
  int64_t compared = 0; ///< elements the program writes
  int64_t beyond = 0;   ///< of them, farther than their bound
  double maxError = 0;  ///< largest |device - expected|, absolute
  /// Of the element with it, how much of it the policy allows.
  double explained = 0;
  double remaining() const { return maxError - explained; }
  /// Worst element (subscripts empty when nothing was compared).
  llvm::SmallVector<int64_t> subscripts;
  double device = 0, expected = 0, bound = 0;

  bool passed() const { return beyond == 0; }
};

/// Compares every written element of `reference` with `device`, which lies as
/// `ArrayMemory` says. A NaN agrees with a NaN only; an infinity agrees with
/// its like, or with a value that the element type cannot hold.
CheckResult check(const Reference &reference, ArrayMemory device);

/// `C[3, 17] = 1.25, expected 1.5 within 0.01; 12 of 4096 elements are beyond
/// their bound, largest error 0.25`.
std::string describe(const Reference &reference, const CheckResult &result);

} // namespace drawloom

#endif // DRAWLOOM_SIM_INTERPRETER_CHECK_H
