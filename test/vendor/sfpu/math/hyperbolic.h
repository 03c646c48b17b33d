// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tanh(x) = x + x^3 q(x^2) where x^2 < 0.39, else 1 - 2 / (exp(2 |x|) + 1) with the
// sign of x.
//
// Relative error 2e-7 for fp32 Dst; half a step of bf16 otherwise.
#pragma once
#include "exponential.h"
#include "reciprocal.h"
#ifdef TRISC_MATH

namespace sfpu_math {

template <bool fp32> inline void tanhFace() {
  setExponentialConstants<fp32>();
  forEachRow([] {
    loadRow<r0>();
    magnitude<r0, r0>();
    add<r0, r0, r0>();
    longGap();
    exponential<fp32>();
    add<r2, one, r0>();
    longGap();
    reciprocal<fp32>();
    set<r3, 0xC0000000>(); // -2
    multiplyAdd<r1, r3, one, r1>();
    loadRow<r0>();
    multiply<r0, r0, r2>();
    gap();
    polynomial<r2, r3, r0, 0xBBBAF0E3, 0x3CA9134D, 0xBD5C1E2D, 0x3E088393, 0xBEAAAA99>();
    multiply<r3, r2, r3>();
    loadRow<r0>();
    multiplyAdd<r3, r0, r0, r3>();
    addNumber<0xBEC8, r2>(); // x^2 - 0.390625
    gap();
    whereNegative<r2>();
    copy<r3, r1>();
    allLanes();
    takeMagnitudeOf<r1, r0>();
    roundForDst<fp32, r0>();
    storeRow<r0>();
  });
}

} // namespace sfpu_math
#endif
