// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp(x) = 2^k p(x - k ln 2), with k the integer nearest to x / ln 2; and 2^x, with
// k the integer nearest to x.
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

enum class Base { E, Two };

/// r0 to the numbers between the least with a result and the first with an
/// infinite one. Uses r3.
template <Base base> LANES clampExponent() {
  constexpr bool two = base == Base::Two;
  TTI_SFPLOADI(r3, 1, two ? 0xD7E0 : 0xD574); // -126 or -87.25 as fp16
  sort<r3, r0>();
  set<r3, two ? 0x43000000 : 0x42B20000>(); // 128 or 89
  sort<r0, r3>();
}

/// r0 = f and r1 = k - 1 where the exponent is, of the power of r0. Uses r2.
template <bool fp32, Base base> LANES reduceExponent() {
  multiplyAdd<r0, base == Base::Two ? one : r4, r5, r1>(); // k - 1 in the low bits
  gap();
  add<r1, c12, r2>(); // k
  gap();
  if constexpr (base == Base::Two) {
    negate<r2, r2>();
    add<r0, r2, r0>();
    gap();
    set<r2, 0x3F317218>(); // ln 2
    multiply<r0, r2, r0>();
  } else {
    multiplyAdd<r2, r6, r0, r0>();
    gap();
    if constexpr (fp32)
      multiplyAdd<r2, r7, r0, r0>();
  }
  gap();
  shiftLeft<23, r1>();
}

/// r2 = exp(r0), or 2^r0. Uses r0 to r3.
template <bool fp32, Base base = Base::E> LANES exponential() {
  clampExponent<base>();
  reduceExponent<fp32, base>();
  if constexpr (fp32) {
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

/// The vendor's approximate exponential, of x times the float of bits `scale`
/// (Schraudolph 1999): a line through the exponent's bits, 8 of them behind the point.
/// The factor belongs to the set-up, as the vendor has it.
template <uint32_t scale> LANES setApproximateConstants() {
  constexpr float factor = __builtin_bit_cast(float, scale);
  setConstant<c12, __builtin_bit_cast(uint32_t, 256.0f * 1.4426950408889634f * factor)>();
  setConstant<c13, 0x46FDE9A3>(); // 127 * 256 less 11.2, which halves the largest error
  setConstant<c14, __builtin_bit_cast(uint32_t, -88.5f / factor)>();
}

inline void approximateExponentialFace() {
  forEachRow([] {
    loadRow<r0>();
    copy<c14, r1>();
    sort<r1, r0>(); // the larger in r0
    longGap();
    multiplyAdd<c12, r0, c13, r0>();
    gap();
    toShort<r0>();
    shiftLeft<15, r0>();
    storeRow<r0>();
  });
}

template <bool fp32> inline void powerOfTwoFace() {
  setExponentialConstants<fp32>();
  forEachRow([] {
    loadRow<r0>();
    exponential<fp32, Base::Two>();
    roundForDst<fp32, r2>();
    storeRow<r2>();
  });
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
