// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1/x by Newton's steps from a guess that integer subtraction gives.
//
// Relative error 7e-8 for fp32 Dst; half a step of bf16 otherwise. 1/0 is
// infinite, 1/infinity and 1/NaN are 0; no lane branches.
#pragma once
#include "lanes.h"
#ifdef TRISC_MATH

namespace sfpu_math {

/// r1 += r1 (1 - |x| r1), with r2 = -|x|. Uses r3.
LANES refineReciprocal() {
  multiplyAdd<r2, r1, one, r3>();
  gap();
  multiplyAdd<r1, r3, r1, r1>();
  gap();
}

/// r1 = 1/|r0|; keeps r0. Uses r1 to r3.
template <bool fp32> LANES reciprocal() {
  constexpr uint32_t guess = 0x7EF311C7; // minus a float's bits: 1/x within 12 %
  magnitude<r0, r2>();
  set<r1, guess>();
  sort<r2, r1>(); // |x| no greater than `guess` as a float: no sign overflow
  set<r1, guess>();
  subtractBitsFrom<r1, r2>(); // the guess at 1/|x|
  copy<r2, r3>();
  subtractBitsFrom<r1, r3>(); // |x| again
  copy<r2, r1>();
  negativeMagnitude<r3, r2>();
  refineReciprocal();
  refineReciprocal();
  if constexpr (fp32) {
    set<r3, 0x7F7FFFFF>(); // 1/0 ends as twice the largest float, not 0 * infinity
    sort<r1, r3>();
    refineReciprocal();
  }
}

template <bool fp32> inline void reciprocalFace() {
  forEachRow([] {
    loadRow<r0>();
    reciprocal<fp32>();
    takeMagnitudeOf<r1, r0>();
    roundForDst<fp32, r0>();
    storeRow<r0>();
  });
}

} // namespace sfpu_math
#endif
