// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The integer below or above each number of a tile in Dst. Exact.
#pragma once
#include "lanes.h"
#ifdef TRISC_MATH

namespace sfpu_math {

/// r2 = the integer nearest to r0, by way of 2^23 (r4; r5 is -2^23), from which on
/// all floats are integers. Uses r1 and r3.
LANES nearestInteger() {
  magnitude<r0, r3>();
  add<r3, r4, r1>();
  gap();
  add<r1, r5, r1>();
  add<r3, r5, r2>();
  gap();
  whereNotNegative<r2>();
  copy<r3, r1>();
  allLanes();
  copy<r0, r2>();
  takeMagnitudeOf<r1, r2>();
}

template <bool up> inline void integerFace() {
  set<r4, 0x4B000000>();
  set<r5, 0xCB000000>();
  forEachRow([] {
    loadRow<r0>();
    if constexpr (up)
      negate<r0, r0>();
    nearestInteger();
    negate<r2, r3>();
    add<r0, r3, r3>();
    gap();
    whereNegative<r3>();
    add<r2, minusOne, r2>();
    gap();
    allLanes();
    if constexpr (up)
      negate<r2, r2>();
    storeRow<r2>();
  });
}

} // namespace sfpu_math
#endif
