// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit again, written step by step and without any cleverness, for
// the library to be compared with.

#ifndef DRAWLOOM_UNITTESTS_SIM_NUMBERS_REFERENCEFPU_H
#define DRAWLOOM_UNITTESTS_SIM_NUMBERS_REFERENCEFPU_H

#include "TestTiles.h"

namespace drawloom::sim::test {

/// A magnitude at a biased exponent: 10 fraction bits in a single product, 23
/// in a sum.
struct Part {
  bool negative = false;
  int exponent = 0;
  int64_t magnitude = 0;
};

/// Bits of a number that the multiplier sees in a phase.
struct Factor {
  bool negative;
  int exponent;
  int magnitude;
};

inline Factor factorOf(uint32_t bits, int shiftHigh, int maskLow, int scaleLow,
                       int dropLow, bool low) {
  int exponent = (bits >> 23) & 255;
  int mantissa = 1024 + ((bits >> 13) & 1023);
  int magnitude = low ? ((mantissa >> dropLow) & maskLow) * scaleLow
                      : mantissa >> shiftHigh;
  return {bool(bits >> 31), exponent, exponent ? magnitude : 0};
}

/// The product of one element of in0 (7 bits wide) and in1 (5 bits).
inline Part productOf(uint32_t in0, uint32_t in1, int phase) {
  Factor f0 = factorOf(in0, 4, 15, 8, 0, phase & 2);
  Factor f1 = factorOf(in1, 6, 31, 1, 1, phase & 1);
  Part p;
  if (!f0.exponent || !f1.exponent)
    return p;
  p.negative = f0.negative != f1.negative;
  p.exponent = f0.exponent + f1.exponent - 127;
  if (phase & 1)
    p.exponent -= 5;
  if (phase & 2)
    p.exponent -= 7;
  p.magnitude = f0.magnitude * f1.magnitude;
  return p;
}

inline Part sumEight(const Part *products) {
  Part sum;
  sum.exponent = products[0].exponent;
  for (int i = 1; i < 8; ++i)
    sum.exponent = std::max(sum.exponent, products[i].exponent);
  if (sum.exponent <= 0)
    return Part();
  int64_t total = 0;
  for (int i = 0; i < 8; ++i) {
    int distance = std::min(sum.exponent - products[i].exponent, 40);
    int64_t rounded = (2 * products[i].magnitude + (int64_t(1) << distance)) >>
                      (distance + 1);
    total += products[i].negative ? -rounded : rounded;
  }
  sum.negative = total < 0;
  sum.magnitude = std::abs(total) << 13;
  return sum;
}

inline int64_t aligned(const Part &part, int exponent, bool narrow) {
  int64_t m = part.magnitude;
  int distance = exponent - part.exponent;
  if (distance >= 31)
    m = 0;
  else if (distance > 0)
    m = (m + (int64_t(1) << (distance - 1)) - part.negative) >> distance;
  if (narrow)
    m = (m + 4096 - part.negative) / 8192 * 8192;
  return part.negative ? -m : m;
}

/// dst + a + b, rounded to the width of Dst.
inline uint32_t add(Part a, Part b, uint32_t dst, DstWidth width,
                    const NumberModel &model) {
  bool narrow = width == DstWidth::Bits16;
  Part d;
  d.exponent = (dst >> 23) & 255;
  d.magnitude = d.exponent ? 0x800000 + (dst & 0x7FFFFF) : 0;
  for (Part *p : {&a, &b})
    if (p->exponent <= 0)
      *p = Part();
  int exponent = std::max({a.exponent, b.exponent, d.exponent});
  int64_t term = aligned(d, exponent, narrow);
  int64_t total = aligned(a, exponent, narrow) + aligned(b, exponent, narrow) +
                  ((dst >> 31) ? -term : term);
  if (!total)
    return 0;
  uint32_t sign = total < 0 ? 0x80000000 : 0;
  int64_t magnitude = std::abs(total);
  int keep = narrow ? 8 : 24; // bits of significand
  int length = 0;
  while (magnitude >> length)
    ++length;
  exponent += length - 24;
  if (total == -1 && !narrow && model.misnormalisesMinusOne) {
    exponent += 27;
    return exponent >= 255 ? sign | 0x7F800000
           : exponent <= 0 ? 0
                           : sign | uint32_t(exponent) << 23;
  }
  if (length > keep)
    magnitude =
        (magnitude + (int64_t(1) << (length - keep - 1))) >> (length - keep);
  else
    magnitude <<= keep - length;
  if (magnitude >> keep) {
    magnitude >>= 1;
    ++exponent;
  }
  uint32_t fraction = uint32_t(magnitude << (24 - keep)) & 0x7FFFFF;
  if (exponent <= 0)
    return 0;
  return exponent >= 255 ? sign | 0x7F800000
                         : sign | uint32_t(exponent) << 23 | fraction;
}

/// The product of two row-major tiles of source patterns, added to dst.
inline void multiply(DstTile &dst, const SrcTile &in0, const SrcTile &in1,
                     Fidelity fidelity, DstWidth width,
                     const NumberModel &model) {
  for (int i = 0; i < kTileElements; ++i)
    for (int phase = 0; phase < phases(fidelity); ++phase)
      for (int k0 = 0; k0 < kTileSide; k0 += 16) {
        Part products[16];
        for (int k = 0; k < 16; ++k)
          products[k] =
              productOf(in0.bits[i / kTileSide * kTileSide + k0 + k],
                        in1.bits[(k0 + k) * kTileSide + i % kTileSide], phase);
        dst.bits[i] = add(sumEight(products), sumEight(products + 8),
                          dst.bits[i], width, model);
      }
}

/// x + y as the element-wise adder forms it.
inline Part sumOf(uint32_t x, uint32_t y) {
  if ((x & 0x7FFFFFFF) < (y & 0x7FFFFFFF))
    std::swap(x, y);
  auto mantissa = [](uint32_t v) {
    return ((v >> 23) & 255) ? 1024 + int((v >> 13) & 1023) : 0;
  };
  Part sum;
  sum.negative = x >> 31;
  sum.exponent = (x >> 23) & 255;
  int distance = sum.exponent - int((y >> 23) & 255);
  int64_t small = mantissa(y);
  if (distance > 0)
    small = distance < 12 ? (small + (1 << (distance - 1))) >> distance : 0;
  bool opposite = (x ^ y) >> 31;
  sum.magnitude = int64_t(opposite ? mantissa(x) - small : mantissa(x) + small)
                  << 13;
  return sum;
}

} // namespace drawloom::sim::test

#endif // DRAWLOOM_UNITTESTS_SIM_NUMBERS_REFERENCEFPU_H
