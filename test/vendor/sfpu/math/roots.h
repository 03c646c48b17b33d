// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1/sqrt(x) by Newton's steps from a guess that halves the exponent, and sqrt(x) as
// x times that.
//
// Relative error 1e-7 for fp32 Dst; half a step of bf16 otherwise. Numbers below 0
// give NaN (which a bf16 buffer shows as infinity).
#pragma once
#include "lanes.h"
#ifdef TRISC_MATH

namespace sfpu_math {

/// r1 += r1 (1/2 + r2 r1 r1), with r2 = -x/2. Uses r3.
LANES refineInverseRoot() {
  multiply<r2, r1, r3>(); // in this order it stays finite for x = 0
  gap();
  multiplyAdd<r3, r1, c13, r3>();
  gap();
  multiplyAdd<r1, r3, r1, r1>();
  gap();
}

LANES setInverseRootConstants() {
  setConstant<c12, 0x5F3759DF>(); // minus half a float's bits: 1/sqrt(x) within 4 %
  setConstant<c13, 0x3F000000>(); // 1/2
  setConstant<c14, 0x7F7FFFFF>(); // the largest float
}

/// r1 = 1/sqrt(r0), a large number for 0; keeps r0. Uses r1 to r3.
template <bool fp32> LANES inverseRoot() {
  copy<r0, r2>();
  copy<c14, r3>();
  sort<r2, r3>();
  copy<r2, r1>();
  shiftLeft<-1, r1>();
  copy<c12, r3>();
  subtractBitsFrom<r3, r1>();
  multiply<r2, c13, r2>();
  gap();
  negate<r2, r2>();
  refineInverseRoot();
  refineInverseRoot();
  if constexpr (fp32)
    refineInverseRoot();
}

/// r1 = NaN where r0 is less than 0. Uses r3.
LANES denyNegative() {
  whereNegative<r0>();
  exponentField<r0, r3>();
  whereNotZero<r3>();
  set<r1, 0x7FC00000>();
  allLanes();
}

template <bool fp32> inline void rootFace() {
  setInverseRootConstants();
  forEachRow([] {
    loadRow<r0>();
    inverseRoot<fp32>();
    multiply<r0, r1, r1>();
    gap();
    roundForDst<fp32, r1>();
    denyNegative();
    storeRow<r1>();
  });
}

template <bool fp32> inline void inverseRootFace() {
  setInverseRootConstants();
  forEachRow([] {
    loadRow<r0>();
    inverseRoot<fp32>();
    roundForDst<fp32, r1>();
    exponentField<r0, r3>();
    whereZero<r3>();
    set<r1, 0x7F800000>();
    allLanes();
    exponentBelowInfinity<r0, r3>();
    whereNotNegative<r3>();
    copy<zero, r1>();
    allLanes();
    denyNegative();
    storeRow<r1>();
  });
}

} // namespace sfpu_math
#endif
