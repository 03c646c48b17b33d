// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a tile in Dst chosen by another, and one number for all lanes.
#pragma once
#include "lanes.h"
#ifdef TRISC_MATH

namespace sfpu_math {

/// How the bits of a tile are loaded and stored unchanged.
template <bool fp32> constexpr uint32_t plainBits = fp32 ? integers : 0;

/// `yes` where the condition is neither 0 nor -0, else `no`.
template <bool fp32>
inline void selectFaces(uint32_t condition, uint32_t yes, uint32_t no, uint32_t result) {
  constexpr uint32_t bits = plainBits<fp32>;
  forEachRow([=] {
    TT_SFPLOAD(r0, bits, keep, condition * 64);
    TT_SFPLOAD(r1, bits, keep, no * 64);
    shiftLeft<1, r0>(); // without the sign
    whereNotZero<r0>();
    TT_SFPLOAD(r1, bits, keep, yes * 64);
    allLanes();
    TT_SFPSTORE(r1, bits, next, result * 64);
  });
}

template <bool integer> inline void fillFace(uint32_t bits) {
  setAtRunTime(r0, bits);
  forEachRow([] { TTI_SFPSTORE(r0, integer ? integers : 0, next, 0); });
}

} // namespace sfpu_math
#endif
