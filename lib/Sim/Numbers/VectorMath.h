// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions in double, branch-free so that loops over them
// vectorise.

#ifndef DRAWLOOM_LIB_SIM_NUMBERS_VECTORMATH_H
#define DRAWLOOM_LIB_SIM_NUMBERS_VECTORMATH_H

#include "VectorClones.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace drawloom::sim {

inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;

/// exp(x) = scale * (1 + q): scale a power of two, q exp(r) - 1 for a small r.
struct SplitExp {
  double scale, q;
};

/// Relative error of q below 2^-36; x is clamped to +-700. x = k ln 2 + r with
/// |r| <= ln 2 / 2, and a Taylor series for exp(r) - 1.
DRAWLOOM_INLINE SplitExp splitExp(double x) {
  x = x > 700.0 ? 700.0 : x;
  x = x < -700.0 ? -700.0 : x;
  constexpr double shift = 0x1.8p52; // rounds to an integer in the low bits
  double shifted = x * (1 / kLn2) + shift;
  double k = shifted - shift;
  double r = x - k * kLn2;
  double p = 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  uint64_t exponent = (std::bit_cast<uint64_t>(shifted) + 1023) << 52;
  return {std::bit_cast<double>(exponent), r + r * r * p};
}

DRAWLOOM_INLINE double expOf(double x) {
  SplitExp e = splitExp(x);
  return e.scale + e.scale * e.q;
}

/// exp(x) - 1, accurate near zero.
DRAWLOOM_INLINE double expMinusOne(double x) {
  SplitExp e = splitExp(x);
  return e.scale * e.q + (e.scale - 1.0);
}

/// ln(x) of a float widened to double, relative error below 2^-38. x = 2^k m
/// with m in [sqrt(1/2), sqrt(2)), and the series of 2 artanh((m-1)/(m+1)).
DRAWLOOM_INLINE double logOf(double x) {
  constexpr uint64_t sqrtHalf = 0x3FE6A09E667F3BCD;
  uint64_t bits = std::bit_cast<uint64_t>(x);
  uint64_t above = bits - sqrtHalf; // exponent field now counts from sqrt(1/2)
  // Biased to stay positive: an arithmetic 64-bit shift does not vectorise.
  uint64_t biased = (above + (uint64_t(1024) << 52)) >> 52;
  double k = std::bit_cast<double>(biased | 0x4330000000000000) - 0x1p52 - 1024;
  double m = std::bit_cast<double>((above & 0x000FFFFFFFFFFFFF) + sqrtHalf);
  double s = (m - 1.0) / (m + 1.0);
  double t = s * s;
  double p = 1.0 / 15;
  p = p * t + 1.0 / 13;
  p = p * t + 1.0 / 11;
  p = p * t + 1.0 / 9;
  p = p * t + 1.0 / 7;
  p = p * t + 1.0 / 5;
  p = p * t + 1.0 / 3;
  double result = k * kLn2 + 2.0 * (s + s * t * p);
  constexpr double inf = std::numeric_limits<double>::infinity();
  result = x == inf ? inf : result;
  result = x == 0.0 ? -inf : result;
  return x >= 0.0 ? result : std::numeric_limits<double>::quiet_NaN();
}

DRAWLOOM_INLINE double sigmoidOf(double x) { return 1.0 / (1.0 + expOf(-x)); }

/// x sigmoid(x), with its limit where the sigmoid vanishes in fp32.
DRAWLOOM_INLINE double siluOf(double x) {
  double value = x / (1.0 + expOf(-x));
  return x < -200.0 ? 0.0 : value;
}

DRAWLOOM_INLINE double tanhOf(double x) {
  double e = expMinusOne(x + x);
  double value = e / (e + 2.0);
  return x > 20.0 ? 1.0 : value;
}

/// x/2 (1 + tanh u) = x sigmoid(2u), with u = sqrt(2/pi) (x + 0.044715 x^3).
DRAWLOOM_INLINE double geluTanhOf(double x) {
  double u2 = 2 * 0.79788456080286535588 * (x + 0.044715 * x * x * x);
  double value = x / (1.0 + expOf(-u2));
  return x < -50.0 ? 0.0 : value;
}

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_NUMBERS_VECTORMATH_H
