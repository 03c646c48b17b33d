// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp(x) = 2^k p(x - k ln 2), with k the integer nearest to x / ln 2.
//
// Relative error 7e-8 for fp32 Dst; half a step of bf16 otherwise. Results below
// 2^-125 are 0, above the largest float infinite; exp(NaN) is infinite.
#pragma once
#include "lanes.h"
#ifdef TRISC_MATH

namespace sfpu_math {

/// What exponential() expects in c12 to c14 and r4 to r7. p is 1 + f + f^2 q(f),
/// q of degree 4 (fp32) or 2 (bf16), fitted to the relative error on |f| < ln 2 / 2.
template <bool fp32> LANES setExponentialConstants() {
  setConstant<c12, 0xCB3FFFFF>(); // -(1.5 * 2^23 - 1)
  if constexpr (fp32) {
    setConstant<c13, 0x3AB511EE>(); // q4
    setConstant<c14, 0x3C091D12>(); // q3
    set<r6, 0xBF318000>();          // -ln 2, its upper bits
    set<r7, 0x395E8083>();          // and the rest
  } else {
    setConstant<c13, 0x3E2B8E95>(); // q1
    setConstant<c14, 0x3F00035C>(); // q0
    set<r6, 0xBF317218>();          // -ln 2
    set<r7, 0x3D291272>();          // q2
  }
  set<r4, 0x3FB8AA3B>(); // 1 / ln 2
  set<r5, 0x4B3FFFFF>(); // 1.5 * 2^23 - 1: its ulp is 1
}

/// r2 = exp(r0). Uses r0 to r3.
template <bool fp32> LANES exponential() {
  TTI_SFPLOADI(r3, 1, 0xD574); // -87.25 as fp16: the least with a result
  sort<r3, r0>();
  set<r3, 0x42B20000>(); // 89: the first with an infinite one
  sort<r0, r3>();
  multiplyAdd<r0, r4, r5, r1>(); // k - 1 in the low bits of r1
  gap();
  add<r1, c12, r2>(); // k
  gap();
  multiplyAdd<r2, r6, r0, r0>();
  shiftLeft<23, r1>(); // (k - 1) where the exponent is
  if constexpr (fp32) {
    multiplyAdd<r2, r7, r0, r0>(); // f
    gap();
    multiplyAdd<c13, r0, c14, r2>();
    set<r3, 0x3D2AAC79>(); // q2
    multiplyAdd<r2, r0, r3, r2>();
    set<r3, 0x3E2AAA48>(); // q1
    multiplyAdd<r2, r0, r3, r2>();
    set<r3, 0x3EFFFFFE>(); // q0
    multiplyAdd<r2, r0, r3, r2>();
    gap();
  } else {
    multiplyAdd<r7, r0, c13, r2>();
    gap();
    multiplyAdd<r2, r0, c14, r2>();
    gap();
  }
  multiplyAdd<r2, r0, one, r2>();
  gap();
  multiplyAdd<r2, r0, one, r2>(); // p(f)
  longGap();
  addBits<r1, r2>();  // times 2^(k - 1): k itself may not fit
  add<r2, r2, r2>();
  gap();
}

template <bool fp32, bool scaled> inline void exponentialFace(uint32_t scale) {
  setExponentialConstants<fp32>();
  forEachRow([scale] {
    loadRow<r0>();
    if constexpr (scaled) { // by a bf16 number
      TT_SFPMULI(scale, r0, 0);
      longGap();
    }
    exponential<fp32>();
    roundForDst<fp32, r2>();
    storeRow<r2>();
  });
}

} // namespace sfpu_math
#endif
