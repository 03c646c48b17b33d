// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 32-bit integers, two's complement, in Dst: operations of two tiles into a third,
// and conversions from and to floats. Exact, modulo 2^32.
#pragma once
#include "lanes.h"
#ifdef TRISC_MATH

namespace sfpu_math {

enum class IntegerOperation {
  Add,
  Subtract,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight, // with copies of the sign
  ShiftRightLogical,
};

/// r = -r.
template <Register r> LANES negateIntegers() {
  complement<r, r>();
  addToBits<1, r>();
}

/// r0 >>= r1, both chips have logical shifts. Uses r2.
template <bool logical> LANES shiftRight() {
  negateIntegers<r1>();
  copy<r0, r2>();
  if constexpr (!logical) {
    whereNegative<r2>();
    complement<r0, r0>();
    allLanes();
  }
  shiftLeftBy<r1, r0>();
  if constexpr (!logical) {
    whereNegative<r2>();
    complement<r0, r0>();
    allLanes();
  }
}

template <IntegerOperation operation> LANES operateOnIntegers() {
  if constexpr (operation == IntegerOperation::Add)
    addBits<r1, r0>();
  if constexpr (operation == IntegerOperation::Subtract) {
    negateIntegers<r1>();
    addBits<r1, r0>();
  }
  if constexpr (operation == IntegerOperation::And)
    andBits<r1, r0>();
  if constexpr (operation == IntegerOperation::Or)
    orBits<r1, r0>();
  if constexpr (operation == IntegerOperation::Xor)
    xorBits<r1, r0>();
  if constexpr (operation == IntegerOperation::ShiftLeft)
    shiftLeftBy<r1, r0>();
  if constexpr (operation == IntegerOperation::ShiftRight)
    shiftRight<false>();
  if constexpr (operation == IntegerOperation::ShiftRightLogical)
    shiftRight<true>();
}

template <IntegerOperation operation>
inline void integerFaces(uint32_t left, uint32_t right, uint32_t result) {
  forEachRow([=] {
    loadIntegers<r0>(left);
    loadIntegers<r1>(right);
    operateOnIntegers<operation>();
    storeIntegers<r0>(result);
  });
}

/// low, middle, high = the three limbs of 11, 11 and 10 bits of `low`, as floats.
/// c13 has the bits of a limb.
template <Register low, Register middle, Register high> LANES splitIntegers() {
  copy<low, middle>();
  copy<low, high>();
  shiftLeft<-11, middle>();
  shiftLeft<-22, high>();
  andBits<c13, low>();
  andBits<c13, middle>();
  toFloat<low, low>();
  toFloat<middle, middle>();
  toFloat<high, high>();
}

/// The low 32 bits of products, in limbs whose products floats hold exactly.
inline void multiplyIntegersFace(uint32_t left, uint32_t right, uint32_t result) {
  setConstant<c12, 0x4B000000>(); // 2^23: sums with it have integers as mantissas
  set<r0, 0x000007FF>();
  TTI_SFPCONFIG(0, c13, 0);
  forEachRow([=] {
    loadIntegers<r0>(left);
    loadIntegers<r3>(right);
    splitIntegers<r0, r1, r2>();
    splitIntegers<r3, r4, r5>();
    multiplyAdd<r0, r5, c12, r6>(); // the high limb's three products
    gap();
    multiplyAdd<r1, r4, r6, r6>();
    gap();
    multiplyAdd<r2, r3, r6, r6>();
    multiplyAdd<r0, r4, c12, r7>(); // the middle limb's two
    gap();
    multiplyAdd<r1, r3, r7, r7>();
    multiplyAdd<r0, r3, c12, r0>();
    longGap();
    mantissaField<r6, r6>();
    mantissaField<r7, r7>();
    mantissaField<r0, r0>();
    shiftLeft<22, r6>();
    shiftLeft<11, r7>();
    addBits<r6, r0>();
    addBits<r7, r0>();
    storeIntegers<r0>(result);
  });
}

/// Upper half times 2^16 plus lower half: one rounding, to the nearest.
inline void integersToFloatsFace() {
  set<r4, 0x47800000>(); // 2^16
  set<r5, 0x0000FFFF>();
  forEachRow([] {
    loadIntegers<r0>(0);
    copy<r0, r1>();
    andBits<r5, r1>();
    toFloat<r1, r1>();
    copy<r0, r2>();
    shiftLeft<-16, r2>();
    toFloat<r2, r2>();
    whereNegative<r0>();
    negate<r4, r3>();
    add<r2, r3, r2>();
    gap();
    allLanes();
    multiplyAdd<r2, r4, r1, r0>();
    gap();
    storeRow<r0>();
  });
}

/// Truncated; the greatest and the least integer where there is none.
inline void floatsToIntegersFace() {
  forEachRow([] {
    loadRow<r0>();
    mantissa<r0, r1>();
    exponent<r0, r2>();
    addToBits<-23, r2>();
    shiftLeftBy<r2, r1>();
    addToBits<23, r2>();
    whereNegative<r2>(); // less than 1
    copy<zero, r1>();
    allLanes();
    addToBits<-31, r2>();
    whereNotNegative<r2>();
    set<r1, 0x7FFFFFFF>();
    allLanes();
    whereNegative<r0>();
    negateIntegers<r1>();
    whereNotNegative<r2>();
    set<r1, 0x80000000>();
    allLanes();
    storeIntegers<r1>(0);
  });
}

} // namespace sfpu_math
#endif
