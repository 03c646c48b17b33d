// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sigmoid and what is made of it, square, sign and clamps of a tile in Dst.
#pragma once
#include "exponential.h"
#include "reciprocal.h"
#ifdef TRISC_MATH

namespace sfpu_math {

/// r1 = 1 / (1 + exp(-r0)). Uses r0 to r3.
template <bool fp32> LANES sigmoid() {
  negate<r0, r0>();
  exponential<fp32>();
  add<r2, one, r0>();
  longGap();
  reciprocal<fp32>();
}

template <bool fp32> inline void sigmoidFace() {
  setExponentialConstants<fp32>();
  forEachRow([] {
    loadRow<r0>();
    sigmoid<fp32>();
    roundForDst<fp32, r1>();
    storeRow<r1>();
  });
}

template <bool fp32> inline void siluFace() {
  setExponentialConstants<fp32>();
  forEachRow([] {
    loadRow<r0>();
    sigmoid<fp32>();
    loadRow<r2>();
    multiply<r1, r2, r0>();
    gap();
    roundForDst<fp32, r0>();
    storeRow<r0>();
  });
}

/// x sigmoid(2 u), which is x (1 + tanh u) / 2, with u the vendor's and PyTorch's
/// sqrt(2 / pi) (x + 0.044715 x^3).
template <bool fp32> inline void geluTanhFace() {
  setExponentialConstants<fp32>();
  forEachRow([] {
    loadRow<r0>();
    multiply<r0, r0, r2>();
    set<r1, 0x3D922279>(); // 2 sqrt(2 / pi) 0.044715
    set<r3, 0x3FCC422A>(); // 2 sqrt(2 / pi)
    multiplyAdd<r2, r1, r3, r2>();
    gap();
    multiply<r0, r2, r0>();
    longGap();
    sigmoid<fp32>();
    loadRow<r2>();
    multiply<r1, r2, r0>();
    gap();
    roundForDst<fp32, r0>();
    storeRow<r0>();
  });
}

template <bool fp32> inline void squareFace() {
  forEachRow([] {
    loadRow<r0>();
    multiply<r0, r0, r0>();
    gap();
    roundForDst<fp32, r0>();
    storeRow<r0>();
  });
}

inline void absoluteFace() {
  forEachRow([] {
    loadRow<r0>();
    magnitude<r0, r0>();
    storeRow<r0>();
  });
}

inline void negativeFace() {
  forEachRow([] {
    loadRow<r0>();
    negate<r0, r0>();
    storeRow<r0>();
  });
}

/// The greater (or lesser) of each number and a limit, a float given by its bits.
template <bool greater> inline void clampFace(uint32_t limit) {
  forEachRow([limit] {
    loadRow<r0>();
    setAtRunTime(r1, limit);
    sort<r0, r1>();
    storeRow<greater ? r1 : r0>();
  });
}

} // namespace sfpu_math
#endif
