// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The adder of the matrix unit: two fixed-point sums and Dst become a new Dst.

#ifndef DRAWLOOM_LIB_SIM_NUMBERS_FPUADDER_H
#define DRAWLOOM_LIB_SIM_NUMBERS_FPUADDER_H

#include "VectorClones.h"
#include "drawloom/Sim/Numbers/Registers.h"

#include <algorithm>
#include <bit>

namespace drawloom::sim {

/// Exponent correction of a product of biased exponents in one fidelity phase:
/// bit 0 of the phase takes the low part of in1, bit 1 the low part of in0.
constexpr int productBias(int phase) {
  return -127 - ((phase & 1) ? 5 : 0) - ((phase & 2) ? 7 : 0);
}

/// A sum of products, in units of 2^-10 of its exponent's power of two. The
/// adder works with 13 more bits below.
struct FpuSum {
  int32_t exponent; // biased as fp32; not positive means the sum is zero
  int32_t units;    // signed, at most 15 bits
};

inline constexpr int kGuardBits = 13;

/// Shifts right and rounds half up; a negative term loses one unit below the
/// half, so that its halves round to zero.
DRAWLOOM_INLINE int32_t alignTerm(int32_t magnitude, int32_t negative,
                                  int32_t distance) {
  distance = std::min(distance, 31);
  uint32_t half = ((1u << distance) - uint32_t(negative)) >> 1;
  return int32_t((uint32_t(magnitude) + half) >> distance);
}

/// A 16-bit Dst drops the guard bits of every term before the addition.
DRAWLOOM_INLINE int32_t dropGuardBits(int32_t magnitude, int32_t negative) {
  return (magnitude + (1 << (kGuardBits - 1)) - negative) &
         ~((1 << kGuardBits) - 1);
}

template <DstWidth Width>
DRAWLOOM_INLINE int32_t signedTerm(int32_t magnitude, int32_t negative,
                                   int32_t distance) {
  int32_t aligned = alignTerm(magnitude, negative, distance);
  if constexpr (Width == DstWidth::Bits16)
    aligned = dropGuardBits(aligned, negative);
  return negative ? -aligned : aligned;
}

/// Rounds a sum to the width of Dst, halves away from zero. The conversion to
/// float normalises: it is exact below 2^24, and above a bit is appended so
/// that no tie is left to round to even.
template <DstWidth Width>
DRAWLOOM_INLINE uint32_t encodeSum(int32_t exponent, int32_t total,
                                   bool misnormalisesMinusOne) {
  int32_t magnitude = total < 0 ? -total : total;
  int32_t bits, bias;
  if constexpr (Width == DstWidth::Bits32) {
    int32_t widened = 2 * magnitude + (magnitude >= (1 << 24));
    bits = std::bit_cast<int32_t>(float(widened));
    bias = 127 + 24;
    if (misnormalisesMinusOne && total == -1)
      bits = (bias + 4) << 23;
  } else {
    bits = (std::bit_cast<int32_t>(float(magnitude)) + 0x8000) & ~0xFFFF;
    bias = 127 + 23;
  }
  int32_t result = exponent - bias + (bits >> 23);
  uint32_t sign = uint32_t(total) & 0x80000000u;
  uint32_t value = uint32_t(bits) + (uint32_t(exponent - bias) << 23);
  value = result >= 255 ? 0x7F800000u : value;
  return total == 0 || result <= 0 ? 0 : sign | value;
}

/// Dst + a + b.
template <DstWidth Width>
DRAWLOOM_INLINE uint32_t addToDst(FpuSum a, FpuSum b, uint32_t dst,
                                  bool misnormalisesMinusOne) {
  int32_t dstExponent = (dst >> 23) & 255;
  int32_t dstMagnitude = dstExponent ? int32_t((dst & 0x7FFFFF) | 0x800000) : 0;
  int32_t aUnits = a.exponent > 0 ? a.units : 0;
  int32_t bUnits = b.exponent > 0 ? b.units : 0;
  int32_t aExponent = std::max(a.exponent, 0);
  int32_t bExponent = std::max(b.exponent, 0);
  int32_t exponent = std::max({aExponent, bExponent, dstExponent});
  int32_t aNegative = aUnits < 0, bNegative = bUnits < 0;
  int32_t aMagnitude = (aNegative ? -aUnits : aUnits) << kGuardBits;
  int32_t bMagnitude = (bNegative ? -bUnits : bUnits) << kGuardBits;

  int32_t dstTerm = alignTerm(dstMagnitude, 0, exponent - dstExponent);
  if constexpr (Width == DstWidth::Bits16)
    dstTerm = dropGuardBits(dstTerm, 0);
  int32_t total = (dst >> 31) ? -dstTerm : dstTerm;
  total += signedTerm<Width>(aMagnitude, aNegative, exponent - aExponent);
  total += signedTerm<Width>(bMagnitude, bNegative, exponent - bExponent);
  return encodeSum<Width>(exponent, total, misnormalisesMinusOne);
}

/// One signed product of two source elements in one phase.
DRAWLOOM_INLINE FpuSum productOf(uint32_t in0, uint32_t in1, int phase) {
  int32_t exponent0 = (in0 >> 23) & 255, exponent1 = (in1 >> 23) & 255;
  int32_t mantissa0 = int32_t((in0 >> 13) & 0x3FF) | 0x400;
  int32_t mantissa1 = int32_t((in1 >> 13) & 0x3FF) | 0x400;
  int32_t factor0 = (phase & 2) ? (mantissa0 & 15) << 3 : mantissa0 >> 4;
  int32_t factor1 = (phase & 1) ? (mantissa1 >> 1) & 31 : mantissa1 >> 6;
  bool zero = exponent0 == 0 || exponent1 == 0;
  int32_t magnitude = zero ? 0 : factor0 * factor1;
  int32_t exponent = zero ? 0 : exponent0 + exponent1 + productBias(phase);
  return {exponent, int32_t(in0 ^ in1) < 0 ? -magnitude : magnitude};
}

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_NUMBERS_FPUADDER_H
