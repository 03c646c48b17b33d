// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log(2^k m) = k ln 2 + log m, with m from sqrt(1/2) to sqrt(2); the same to base 2.
//
// Relative error 1e-7 for fp32 Dst; half a step of bf16 otherwise. log(0) is minus
// infinite, numbers below 0 give NaN, infinity and NaN themselves.
#pragma once
#include "exponential.h"
#ifdef TRISC_MATH

namespace sfpu_math {

LANES setLogarithmConstants() {
  setConstant<c12, 0x3F317218>(); // ln 2
  setConstant<c13, 0x3FB504F3>(); // sqrt(2)
  setConstant<c14, 0x3FB8AA3B>(); // 1 / ln 2
}

/// r1 = k as a float and r2 = m - 1, of r0. Uses r3 and r4.
LANES splitLogarithm() {
  exponent<r0, r1>();
  setExponentField<127, r0, r2>();
  multiplyAdd<r2, minusOne, c13, r3>();
  gap();
  whereNegative<r3>();
  setExponentField<126, r2, r2>();
  addToBits<1, r1>();
  allLanes();
  add<r2, minusOne, r2>();
  set<r3, 0x4B400000>(); // 1.5 * 2^23, whose ulp is 1
  addBits<r3, r1>();
  negate<r3, r3>();
  add<r1, r3, r1>();
  gap();
}

/// r3 = the logarithm of a positive r0. Uses r1 to r4.
template <Base base> LANES logarithm() {
  splitLogarithm();
  // log(1 + f) = f + f^2 q(f), fitted to the relative error.
  polynomial<r2, r3, r4, 0xBD9C182A, 0x3E04243E, 0xBE079BB3, 0x3E1138CC, 0xBE2A13B6,
             0x3E4CD1FA, 0xBE800213, 0x3EAAAAA8, 0xBEFFFFFC>();
  multiply<r3, r2, r3>();
  gap();
  multiplyAdd<r3, r2, r2, r3>();
  gap();
  if constexpr (base == Base::Two)
    multiplyAdd<r3, c14, r1, r3>();
  else
    multiplyAdd<r1, c12, r3, r3>();
  gap();
}

/// r3 for the numbers r0 that have no finite logarithm. Uses r4.
LANES infiniteLogarithms() {
  exponentField<r0, r4>();
  whereZero<r4>();
  set<r3, 0xFF800000>();
  allLanes();
  whereNegative<r0>();
  whereNotZero<r4>();
  set<r3, 0x7FC00000>();
  allLanes();
  whereNotNegative<r0>();
  addToBits<-255, r4>();
  whereZero<r4>();
  copy<r0, r3>();
  allLanes();
}

template <bool fp32, Base base> inline void logarithmFace() {
  setLogarithmConstants();
  forEachRow([] {
    loadRow<r0>();
    logarithm<base>();
    roundForDst<fp32, r3>();
    infiniteLogarithms();
    storeRow<r3>();
  });
}

} // namespace sfpu_math
#endif
