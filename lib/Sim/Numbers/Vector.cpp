// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector unit's functions: loops over a tile, and how results are stored.

#include "drawloom/Sim/Numbers/Vector.h"
#include "VectorMath.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace drawloom;
using namespace drawloom::sim;

namespace {

constexpr uint32_t kSignBit = 0x80000000;
constexpr uint32_t kInfinity = 0x7F800000;

DRAWLOOM_INLINE uint32_t bitsOf(float x) { return std::bit_cast<uint32_t>(x); }
DRAWLOOM_INLINE float floatOf(uint32_t x) { return std::bit_cast<float>(x); }

/// Denormals to zero of the same sign.
DRAWLOOM_INLINE uint32_t flush(uint32_t bits) {
  return (bits & kInfinity) ? bits : bits & kSignBit;
}

DRAWLOOM_INLINE bool isNan(uint32_t bits) {
  return (bits & ~kSignBit) > kInfinity;
}

/// How computed results go to Dst.
struct Store {
  bool narrow;
  bool keepsZeroSign;
  uint32_t nan;
};

/// To 16 bits: nearest with ties away, NaN to infinity, zero to +0.
DRAWLOOM_INLINE uint32_t roundToBf16(uint32_t bits) {
  bits = isNan(bits) ? (bits & kSignBit) | kInfinity : bits;
  uint32_t rounded = (bits + 0x8000) & 0xFFFF0000;
  return (bits & kInfinity) ? rounded : 0;
}

DRAWLOOM_INLINE uint32_t stored(uint32_t bits, Store store) {
  uint32_t zero = store.keepsZeroSign ? bits & kSignBit : 0;
  bits = (bits & kInfinity) ? bits : zero;
  uint32_t wide = isNan(bits) ? store.nan : bits;
  return store.narrow ? roundToBf16(bits) : wide;
}

/// A product and a sum as the multiply-adder forms them: x * y + 0 and x * 1 +
/// y, rounded once to nearest even.
DRAWLOOM_INLINE float mulFlushed(float x, float y) {
  uint32_t exponents = ((bitsOf(x) >> 23) & 255) + ((bitsOf(y) >> 23) & 255);
  float product = x * y + 0.0f;
  return exponents < 127 ? 0.0f : product; // the product alone underflows
}

template <typename Fn>
DRAWLOOM_INLINE void mapTile(uint32_t *dst, Store store, Fn fn) {
  for (int i = 0; i < kTileElements; ++i)
    dst[i] = stored(bitsOf(float(fn(floatOf(flush(dst[i]))))), store);
}

template <typename Fn>
DRAWLOOM_INLINE void zipTiles(const uint32_t *a, const uint32_t *b,
                              uint32_t *out, Store store, Fn fn) {
  for (int i = 0; i < kTileElements; ++i)
    out[i] =
        stored(bitsOf(fn(floatOf(flush(a[i])), floatOf(flush(b[i])))), store);
}

template <typename Fn>
DRAWLOOM_INLINE void selectBits(const uint32_t *a, const uint32_t *b,
                                uint32_t *out, Fn fn) {
  for (int i = 0; i < kTileElements; ++i)
    out[i] = flush(fn(a[i], b[i]));
}

/// Order by sign and magnitude.
DRAWLOOM_INLINE int32_t ordered(uint32_t bits) {
  return int32_t(bits) < 0 ? int32_t(bits ^ ~kSignBit) : int32_t(bits);
}

/// The vendor's steps: a clamp from below, a multiply-add that leaves sign-less
/// 8.8 bits of exponent and mantissa, a conversion to 16 bits, a shift. Dst of
/// 16 bits takes the upper half.
DRAWLOOM_VECTOR_CLONES void computeApproximate(uint32_t *dst, Store store, float scale) {
  constexpr float perPower = 256.0f * 1.4426950408889634f, one = 32500.818359375f;
  const float slope = perPower * scale, least = -88.5f / scale;
  for (int i = 0; i < kTileElements; ++i) {
    float x = floatOf(flush(dst[i]));
    float line = std::fma(slope, x < least ? least : x, one);
    // What is no number goes to the largest, as infinity does.
    float steps = line < 65535.0f ? std::max(line, 0.0f) : 65535.0f;
    uint32_t bits = uint32_t(steps + 0.5f) << 15;
    dst[i] = stored(store.narrow ? bits & 0xFFFF0000 : bits, store);
  }
}

DRAWLOOM_VECTOR_CLONES void computeExponentials(VectorUnary op, uint32_t *dst,
                                                Store store) {
  if (op == VectorUnary::Exp)
    mapTile(dst, store, [](double x) { return expOf(x); });
  else if (op == VectorUnary::Exp2)
    mapTile(dst, store, [](double x) { return expOf(x * kLn2); });
  else if (op == VectorUnary::Sigmoid)
    mapTile(dst, store, [](double x) { return sigmoidOf(x); });
  else if (op == VectorUnary::Silu)
    mapTile(dst, store, [](double x) { return siluOf(x); });
  else if (op == VectorUnary::Tanh)
    mapTile(dst, store, [](double x) { return tanhOf(x); });
  else
    mapTile(dst, store, [](double x) { return geluTanhOf(x); });
}

DRAWLOOM_VECTOR_CLONES void computeAlgebraic(VectorUnary op, uint32_t *dst,
                                             Store store) {
  if (op == VectorUnary::Log)
    mapTile(dst, store, [](double x) { return logOf(x); });
  else if (op == VectorUnary::Log2)
    mapTile(dst, store, [](double x) { return logOf(x) * (1 / kLn2); });
  else if (op == VectorUnary::Sqrt)
    mapTile(dst, store, [](float x) { return __builtin_sqrtf(x); });
  else if (op == VectorUnary::Rsqrt)
    mapTile(dst, store, [](double x) { return 1.0 / __builtin_sqrt(x + 0.0); });
  else if (op == VectorUnary::Recip)
    mapTile(dst, store, [](float x) { return 1.0f / x; });
  else if (op == VectorUnary::Square)
    mapTile(dst, store, [](float x) { return mulFlushed(x, x); });
  else if (op == VectorUnary::Floor)
    mapTile(dst, store, [](float x) { return __builtin_floorf(x); });
  else
    mapTile(dst, store, [](float x) { return __builtin_ceilf(x); });
}

/// Functions left to the C library, one element at a time.
void computeOthers(VectorUnary op, uint32_t *dst, Store store) {
  if (op == VectorUnary::GeluErf)
    mapTile(dst, store, [](double x) {
      return x < -50 ? 0.0 : 0.5 * x * std::erfc(x * -0.70710678118654752440);
    });
  else if (op == VectorUnary::Erf)
    mapTile(dst, store, [](double x) { return std::erf(x); });
  else if (op == VectorUnary::Sin)
    mapTile(dst, store, [](double x) { return std::sin(x); });
  else
    mapTile(dst, store, [](double x) { return std::cos(x); });
}

void changeSign(VectorUnary op, uint32_t *dst) {
  for (int i = 0; i < kTileElements; ++i) {
    uint32_t bits = flush(dst[i]);
    dst[i] = op == VectorUnary::Abs   ? bits & ~kSignBit
             : op == VectorUnary::Neg ? bits ^ kSignBit
                                      : (ordered(bits) > 0 ? bits : 0);
  }
}

DRAWLOOM_VECTOR_CLONES void compute(VectorBinary op, const uint32_t *a,
                                    const uint32_t *b, uint32_t *out,
                                    Store store) {
  if (op == VectorBinary::Add)
    zipTiles(a, b, out, store, [](float x, float y) { return x + y; });
  else if (op == VectorBinary::Sub)
    zipTiles(a, b, out, store, [](float x, float y) { return x - y; });
  else if (op == VectorBinary::Mul)
    zipTiles(a, b, out, store, mulFlushed);
  else
    zipTiles(a, b, out, store, [](float x, float y) { return x / y; });
}

DRAWLOOM_VECTOR_CLONES void select(VectorBinary op, const uint32_t *a,
                                   const uint32_t *b, uint32_t *out) {
  bool wantMax = op == VectorBinary::Max;
  selectBits(a, b, out, [=](uint32_t x, uint32_t y) {
    return (ordered(x) > ordered(y)) == wantMax ? x : y;
  });
}

template <typename Fn>
DRAWLOOM_INLINE void compareTiles(const uint32_t *a, const uint32_t *b,
                                  uint32_t *out, Fn fn) {
  for (int i = 0; i < kTileElements; ++i)
    out[i] = fn(floatOf(flush(a[i])), floatOf(flush(b[i]))) ? bitsOf(1.0f) : 0;
}

void compare(VectorBinary op, const uint32_t *a, const uint32_t *b,
             uint32_t *out) {
  if (op == VectorBinary::Eq)
    compareTiles(a, b, out, [](float x, float y) { return x == y; });
  else if (op == VectorBinary::Ne)
    compareTiles(a, b, out, [](float x, float y) { return x != y; });
  else if (op == VectorBinary::Lt)
    compareTiles(a, b, out, [](float x, float y) { return x < y; });
  else if (op == VectorBinary::Le)
    compareTiles(a, b, out, [](float x, float y) { return x <= y; });
  else if (op == VectorBinary::Gt)
    compareTiles(a, b, out, [](float x, float y) { return x > y; });
  else
    compareTiles(a, b, out, [](float x, float y) { return x >= y; });
}

Store storeFor(DstWidth width, const NumberModel &model) {
  return {width == DstWidth::Bits16, model.keepsZeroSign, model.nan};
}

} // namespace

void drawloom::sim::applyUnary(VectorUnary op, DstTile &dst, DstWidth width,
                               const NumberModel &model) {
  Store store = storeFor(width, model);
  switch (op) {
  case VectorUnary::ExpApprox:
    return computeApproximate(dst.bits, store, 1);
  case VectorUnary::Exp2Approx:
    return computeApproximate(dst.bits, store, float(kLn2));
  case VectorUnary::Exp:
  case VectorUnary::Exp2:
  case VectorUnary::Sigmoid:
  case VectorUnary::Silu:
  case VectorUnary::Tanh:
  case VectorUnary::GeluTanh:
    return computeExponentials(op, dst.bits, store);
  case VectorUnary::Log:
  case VectorUnary::Log2:
  case VectorUnary::Sqrt:
  case VectorUnary::Rsqrt:
  case VectorUnary::Recip:
  case VectorUnary::Square:
  case VectorUnary::Floor:
  case VectorUnary::Ceil:
    return computeAlgebraic(op, dst.bits, store);
  case VectorUnary::GeluErf:
  case VectorUnary::Erf:
  case VectorUnary::Sin:
  case VectorUnary::Cos:
    return computeOthers(op, dst.bits, store);
  case VectorUnary::Relu:
  case VectorUnary::Abs:
  case VectorUnary::Neg:
    return changeSign(op, dst.bits);
  }
}

void drawloom::sim::applyBinary(VectorBinary op, const DstTile &a,
                                const DstTile &b, DstTile &out, DstWidth width,
                                const NumberModel &model) {
  switch (op) {
  case VectorBinary::Add:
  case VectorBinary::Sub:
  case VectorBinary::Mul:
  case VectorBinary::Div:
    return compute(op, a.bits, b.bits, out.bits, storeFor(width, model));
  case VectorBinary::Max:
  case VectorBinary::Min:
    return select(op, a.bits, b.bits, out.bits);
  default:
    return compare(op, a.bits, b.bits, out.bits);
  }
}

void drawloom::sim::applyScalar(VectorBinary op, DstTile &dst, float scalar,
                                DstWidth width, const NumberModel &model) {
  DstTile operand;
  std::fill(std::begin(operand.bits), std::end(operand.bits), bitsOf(scalar));
  applyBinary(op, dst, operand, dst, width, model);
  if (width == DstWidth::Bits16) // a selected scalar need not be a bf16
    for (uint32_t &bits : dst.bits)
      bits &= 0xFFFF0000;
}

void drawloom::sim::applyWhere(const DstTile &condition, const DstTile &a,
                               const DstTile &b, DstTile &out) {
  for (int i = 0; i < kTileElements; ++i)
    out.bits[i] = (condition.bits[i] & ~kSignBit) ? a.bits[i] : b.bits[i];
}

void drawloom::sim::fillTile(DstTile &dst, float value, DstWidth width) {
  uint32_t bits = flush(bitsOf(value));
  if (width == DstWidth::Bits16)
    bits = roundToBf16(bits);
  std::fill(std::begin(dst.bits), std::end(dst.bits), bits);
}
