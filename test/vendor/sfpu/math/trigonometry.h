// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin(x) = (-1)^k sin(x - k pi), with k the integer nearest to x / pi; cos(x) in the
// same way, with half integers.
//
// Absolute error 1.5e-7 for fp32 Dst where |x| < 10000; half a step of bf16 more
// otherwise.
#pragma once
#include "lanes.h"
#ifdef TRISC_MATH

namespace sfpu_math {

enum class Wave { Sine, Cosine };

/// Uses r5 to r7 for good.
LANES setWaveConstants() {
  setConstant<c12, 0xB4222169>(); // -pi, its last bits
  setConstant<c13, 0xCB400000>(); // -1.5 * 2^23
  setConstant<c14, 0x3EA2F983>(); // 1 / pi
  set<r5, 0x4B400000>();          // 1.5 * 2^23, whose ulp is 1
  set<r6, 0xC0490000>();          // -pi, its upper bits
  set<r7, 0xBA7DA000>();          // and more of them
}

/// r1 = k in the low bits, r0 -= k pi. Uses r2.
template <Wave wave> LANES reducePhase() {
  if constexpr (wave == Wave::Sine) {
    multiplyAdd<r0, c14, r5, r1>();
  } else {
    multiply<r0, c14, r1>();
    gap();
    addNumber<0x3F00, r1>(); // 1/2
    gap();
    add<r1, r5, r1>();
  }
  gap();
  add<r1, c13, r2>();
  gap();
  if constexpr (wave == Wave::Cosine) {
    addNumber<0xBF00, r2>();
    gap();
  }
  multiplyAdd<r2, r6, r0, r0>();
  gap();
  multiplyAdd<r2, r7, r0, r0>();
  gap();
  multiplyAdd<r2, c12, r0, r0>();
  gap();
}

template <bool fp32, Wave wave> inline void waveFace() {
  setWaveConstants();
  forEachRow([] {
    loadRow<r0>();
    reducePhase<wave>();
    multiply<r0, r0, r2>();
    gap();
    polynomial<r2, r3, r4, 0x362EDEF8, 0xB94FB7FF, 0x3C08876A, 0xBE2AAAA6>();
    multiply<r3, r2, r3>();
    gap();
    multiplyAdd<r3, r0, r0, r0>();
    longGap();
    shiftLeft<31, r1>();
    xorBits<r1, r0>();
    roundForDst<fp32, r0>();
    storeRow<r0>();
  });
}

} // namespace sfpu_math
#endif
