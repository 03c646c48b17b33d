// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of two tiles in Dst into a third, which may be one of them; and of a
// tile and a number.
#pragma once
#include "reciprocal.h"
#ifdef TRISC_MATH

namespace sfpu_math {

enum class Operation { Add, Subtract, SubtractReversed, Multiply };

/// r2 = the operation of r0 and r1, rounded for Dst. Uses r0 to r2.
template <bool fp32, Operation operation> LANES operate() {
  if constexpr (operation == Operation::Subtract)
    negate<r1, r1>();
  if constexpr (operation == Operation::SubtractReversed)
    negate<r0, r0>();
  if constexpr (operation == Operation::Multiply)
    multiply<r0, r1, r2>();
  else
    add<r0, r1, r2>();
  gap();
  roundForDst<fp32, r2>();
}

template <bool fp32, Operation operation>
inline void binaryFace(uint32_t left, uint32_t right, uint32_t result) {
  forEachRow([=] {
    loadRow<r0>(left);
    loadRow<r1>(right);
    operate<fp32, operation>();
    storeRow<r2>(result);
  });
}

/// The right operand is one number, given by its bits.
template <bool fp32, Operation operation> inline void scalarFace(uint32_t number) {
  forEachRow([number] {
    loadRow<r0>();
    setAtRunTime(r1, number);
    operate<fp32, operation>();
    storeRow<r2>();
  });
}

/// Quotient by the reciprocal; in fp32 its residue corrects it where finite.
template <bool fp32>
inline void divideFace(uint32_t left, uint32_t right, uint32_t result) {
  forEachRow([=] {
    loadRow<r0>(right);
    reciprocal<fp32>();
    takeMagnitudeOf<r1, r0>();
    loadRow<r1>(left);
    multiply<r0, r1, r2>();
    if constexpr (fp32) {
      loadRow<r3>(right);
      negate<r3, r3>();
      multiplyAdd<r3, r2, r1, r3>();
      gap();
      multiply<r3, r0, r3>();
      longGap();
      exponentBelowInfinity<r3, r4>();
      whereNegative<r4>();
      add<r2, r3, r2>();
      gap();
      allLanes();
    } else {
      gap();
    }
    roundForDst<fp32, r2>();
    storeRow<r2>(result);
  });
}

} // namespace sfpu_math
#endif
