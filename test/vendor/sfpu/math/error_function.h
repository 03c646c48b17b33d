// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf(x) = x p(x^2) where |x| < 1, else 1 - exp(g(|x|)) with the sign of x; and what
// is made of it: gelu(x) = x (1 + erf(x / sqrt(2))) / 2.
//
// Relative error of erf 2e-7 for fp32 Dst, half a step of bf16 otherwise; gelu is as
// near to the exact value as 2e-7 of x.
#pragma once
#include "exponential.h"
#ifdef TRISC_MATH

namespace sfpu_math {

/// r0 = x or x / sqrt(2). Uses r1.
template <bool byRoot> LANES loadArgument() {
  loadRow<r0>();
  if constexpr (byRoot) {
    set<r1, 0x3F3504F3>();
    multiply<r0, r1, r0>();
  }
  longGap();
}

/// r0 = erf. Expects exponential()'s constants, uses r0 to r3.
template <bool fp32, bool byRoot> LANES errorFunction() {
  loadArgument<byRoot>();
  magnitude<r0, r0>();
  set<r1, 0x40800000>(); // beyond 4 erf is 1
  sort<r0, r1>();
  polynomial<r0, r2, r3, 0x39436ED0, 0xBB412D85, 0x3CB2E5C0, 0xBDD329A4, 0xBF235D76,
             0xBF904475, 0xB9B30E35>();
  copy<r2, r0>();
  exponential<fp32>();
  negate<r2, r2>();
  add<r2, one, r3>();
  loadArgument<byRoot>();
  multiply<r0, r0, r2>();
  gap();
  polynomial<r2, r1, r0, 0x38A4B519, 0xBA51FB80, 0x3BAA02D9, 0xBCDBFC87, 0x3DE7167C,
             0xBEC0939F, 0x3F906EBA>();
  copy<r1, r2>();
  loadArgument<byRoot>();
  multiply<r2, r0, r2>();
  magnitude<r0, r1>();
  addNumber<0xBF80, r1>(); // |x| - 1
  gap();
  whereNegative<r1>();
  copy<r2, r3>();
  allLanes();
  takeMagnitudeOf<r3, r0>();
}

template <bool fp32> inline void errorFunctionFace() {
  setExponentialConstants<fp32>();
  forEachRow([] {
    errorFunction<fp32, false>();
    roundForDst<fp32, r0>();
    storeRow<r0>();
  });
}

template <bool fp32> inline void geluFace() {
  setExponentialConstants<fp32>();
  forEachRow([] {
    errorFunction<fp32, true>();
    add<r0, one, r0>();
    loadRow<r1>();
    gap();
    multiply<r0, r1, r0>();
    gap();
    multiplyByNumber<0x3F00, r0>(); // by half
    gap();
    roundForDst<fp32, r0>();
    storeRow<r0>();
  });
}

} // namespace sfpu_math
#endif
