// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons with a number: 1.0 where they are true, else 0.0. With NaN only
// "not equal" is true; -0 equals 0.
#pragma once
#include "lanes.h"
#ifdef TRISC_MATH

namespace sfpu_math {

enum class Relation { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };

/// r2 = negative where r0 or r1 is NaN. Uses r3.
LANES findNaN() {
  magnitude<r0, r2>();
  magnitude<r1, r3>();
  add<r2, r3, r2>();
  set<r3, 0x7F800000>();
  longGap();
  subtractBitsFrom<r3, r2>();
}

/// r0 = whether r0 is in a relation to r1. Uses r0 to r4.
template <Relation relation> LANES compare() {
  constexpr bool equality = relation == Relation::Equal || relation == Relation::NotEqual;
  constexpr bool swapped =
      relation == Relation::Greater || relation == Relation::LessOrEqual;
  constexpr bool inverted = relation == Relation::Equal ||
                            relation == Relation::LessOrEqual ||
                            relation == Relation::GreaterOrEqual;
  constexpr Register left = swapped ? r1 : r0, right = swapped ? r0 : r1;
  findNaN();
  add<r0, zero, r0>(); // -0 becomes 0
  add<r1, zero, r1>();
  longGap();
  copy<left, r4>();
  if constexpr (!equality)
    sort<left, right>();
  xorBits<right, r4>(); // 0 where they are equal; where left is not the lesser
  copy<inverted ? one : zero, r0>();
  whereNotZero<r4>();
  copy<inverted ? zero : one, r0>();
  allLanes();
  whereNegative<r2>();
  copy<relation == Relation::NotEqual ? one : zero, r0>();
  allLanes();
}

template <Relation relation> inline void compareFace(uint32_t number) {
  forEachRow([number] {
    loadRow<r0>();
    setAtRunTime(r1, number);
    compare<relation>();
    storeRow<r0>();
  });
}

template <Relation relation>
inline void compareFaces(uint32_t left, uint32_t right, uint32_t result) {
  forEachRow([=] {
    loadRow<r0>(left);
    loadRow<r1>(right);
    compare<relation>();
    storeRow<r0>(result);
  });
}

} // namespace sfpu_math
#endif
