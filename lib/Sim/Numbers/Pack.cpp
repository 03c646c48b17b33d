// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The packer: rounding, clean-up, and row-major to face order.

#include "drawloom/Sim/Numbers/Pack.h"
#include "FaceOrder.h"

#include <bit>
#include <cassert>
#include <cstring>

using namespace drawloom;
using namespace drawloom::sim;

namespace {

/// A bf16 pattern in the upper half: ties away from zero, NaN to infinity,
/// denormals to +0. A 16-bit Dst has nothing to round.
DRAWLOOM_INLINE uint32_t toBf16(uint32_t bits) {
  uint32_t magnitude = bits & 0x7FFFFFFF;
  bits = magnitude > 0x7F800000 ? (bits & 0x80000000) | 0x7F800000 : bits;
  bits = (bits + 0x8000) & 0xFFFF0000;
  return (bits & 0x7FFFFFFF) < 0x00800000 ? 0 : bits;
}

DRAWLOOM_VECTOR_CLONES void roundToBf16(const uint32_t *in, uint32_t *out) {
  for (int i = 0; i < kTileElements; ++i)
    out[i] = toBf16(in[i]);
}

DRAWLOOM_VECTOR_CLONES void store16(const uint32_t *bits, uint8_t *l1) {
  forFaceRows([&](int to, int from) {
    uint16_t halves[kFaceSide];
    for (int i = 0; i < kFaceSide; ++i)
      halves[i] = uint16_t(bits[from + i] >> 16);
    std::memcpy(l1 + 2 * to, halves, sizeof(halves));
  });
}

void store32(const uint32_t *bits, uint8_t *l1) {
  forFaceRows([&](int to, int from) {
    std::memcpy(l1 + 4 * to, bits + from, 4 * kFaceSide);
  });
}

void store(const uint32_t *bits, Format format, uint8_t *l1) {
  elementBytes(format) == 2 ? store16(bits, l1) : store32(bits, l1);
}

bool inMask(PackMask mask, int index) {
  switch (mask) {
  case PackMask::All:
    return true;
  case PackMask::Row0:
    return index < kTileSide;
  case PackMask::Column0:
    return index % kTileSide == 0;
  case PackMask::Element0:
    return index == 0;
  }
  return true;
}

/// Values as the packer sends them to L1, as fp32 patterns.
DstTile converted(const DstTile &dst, DstWidth width, Format format) {
  bool isFloat = format == Format::BF16 || format == Format::FP32;
  DstTile result = dst;
  if (isFloat && (format == Format::BF16 || width == DstWidth::Bits16))
    roundToBf16(dst.bits, result.bits);
  return result;
}

float flushed(uint32_t bits) {
  bool tiny = (bits & 0x7FFFFFFF) < 0x00800000;
  return std::bit_cast<float>(tiny ? bits & 0x80000000 : bits);
}

uint32_t addFp32(uint32_t a, uint32_t b) {
  uint32_t sum = std::bit_cast<uint32_t>(flushed(a) + flushed(b));
  if ((sum & 0x7FFFFFFF) > 0x7F800000)
    return 0x7FC00000;
  return std::bit_cast<uint32_t>(flushed(sum));
}

/// Adds two bf16 patterns in double precision and rounds to nearest even.
uint32_t addBf16(uint32_t a, uint32_t b) {
  double sum = double(flushed(a)) + double(flushed(b));
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  uint32_t sign = uint32_t(bits >> 32) & 0x80000000;
  int64_t exponent = int64_t((bits >> 52) & 0x7FF) - 1023 + 127;
  if (sum != sum)
    return 0x7FC00000;
  if (exponent <= 0)
    return sign;
  if (exponent >= 255)
    return sign | 0x7F800000;
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  uint64_t half = (uint64_t(1) << 44) - 1 + ((mantissa >> 45) & 1);
  uint32_t rounded =
      uint32_t(exponent << 7) + uint32_t((mantissa + half) >> 45);
  return sign | rounded << 16;
}

} // namespace

void drawloom::sim::packTile(const DstTile &dst, DstWidth width, Format format,
                             uint8_t *l1, PackMask mask) {
  DstTile values = converted(dst, width, format);
  if (mask != PackMask::All)
    for (int i = 0; i < kTileElements; ++i)
      if (!inMask(mask, i))
        values.bits[i] = 0;
  store(values.bits, format, l1);
}

void drawloom::sim::packAccumulate(const DstTile &dst, DstWidth width,
                                   Format format, uint8_t *l1) {
  assert((format == Format::BF16 || format == Format::FP32) &&
         "the packer accumulates floating-point formats only");
  DstTile values = converted(dst, width, format);
  const int64_t size = *elementBytes(format);
  DstTile old;
  forFaceRows([&](int from, int to) {
    for (int i = 0; i < kFaceSide; ++i)
      std::memcpy((uint8_t *)&old.bits[to + i] + (4 - size),
                  l1 + size * (from + i), size);
  });
  for (int i = 0; i < kTileElements; ++i)
    values.bits[i] = format == Format::FP32
                         ? addFp32(old.bits[i], values.bits[i])
                         : addBf16(old.bits[i], values.bits[i]);
  store(values.bits, format, l1);
}
