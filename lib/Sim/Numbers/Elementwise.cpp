// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit's element-wise operations, and moves within the core.

#include "drawloom/Sim/Numbers/Elementwise.h"
#include "FpuAdder.h"

#include <utility>

using namespace drawloom;
using namespace drawloom::sim;

namespace {

/// The sum of two source elements as the adder sees it: the smaller magnitude
/// is aligned to the larger one's 11 bits, halves rounded up.
DRAWLOOM_INLINE FpuSum sumOf(uint32_t x, uint32_t y) {
  uint32_t xMagnitude = x & 0x7FFFFFFF, yMagnitude = y & 0x7FFFFFFF;
  bool swap = xMagnitude < yMagnitude;
  uint32_t big = swap ? y : x, small = swap ? x : y;
  int32_t exponent = (big >> 23) & 255, smallExponent = (small >> 23) & 255;
  int32_t bigUnits = exponent ? int32_t((big >> 13) & 0x3FF) | 0x400 : 0;
  int32_t smallUnits =
      smallExponent ? int32_t((small >> 13) & 0x3FF) | 0x400 : 0;
  smallUnits = alignTerm(smallUnits, 0, exponent - smallExponent);
  bool opposite = int32_t(big ^ small) < 0;
  int32_t units = opposite ? bigUnits - smallUnits : bigUnits + smallUnits;
  return {exponent, int32_t(big) < 0 ? -units : units};
}

template <DstWidth Width>
DRAWLOOM_INLINE void addLoop(uint32_t *dst, const uint32_t *in0,
                             const uint32_t *in1, uint32_t flip, uint32_t keep,
                             bool misnormalisesMinusOne) {
  for (int i = 0; i < kTileElements; ++i)
    dst[i] = addToDst<Width>(sumOf(in0[i], in1[i] ^ flip), {0, 0},
                             dst[i] & keep, misnormalisesMinusOne);
}

DRAWLOOM_VECTOR_CLONES void addLoops(DstWidth width, uint32_t *dst,
                                     const uint32_t *in0, const uint32_t *in1,
                                     uint32_t flip, uint32_t keep,
                                     bool misnormalisesMinusOne) {
  if (width == DstWidth::Bits16)
    addLoop<DstWidth::Bits16>(dst, in0, in1, flip, keep, false);
  else
    addLoop<DstWidth::Bits32>(dst, in0, in1, flip, keep, misnormalisesMinusOne);
}

/// The element-wise multiplier's wide input belongs to in1: in a product it is
/// the operand that plays in0 of a matrix product.
template <DstWidth Width>
DRAWLOOM_INLINE void mulLoop(uint32_t *dst, const uint32_t *in0,
                             const uint32_t *in1, int phase,
                             bool misnormalisesMinusOne) {
  for (int i = 0; i < kTileElements; ++i)
    dst[i] = addToDst<Width>(productOf(in1[i], in0[i], phase), {0, 0}, dst[i],
                             misnormalisesMinusOne);
}

DRAWLOOM_VECTOR_CLONES void mulLoops(DstWidth width, uint32_t *dst,
                                     const uint32_t *in0, const uint32_t *in1,
                                     int phase, bool misnormalisesMinusOne) {
  if (width == DstWidth::Bits16)
    mulLoop<DstWidth::Bits16>(dst, in0, in1, phase, false);
  else
    mulLoop<DstWidth::Bits32>(dst, in0, in1, phase, misnormalisesMinusOne);
}

} // namespace

void drawloom::sim::elementwise(FpuBinary op, DstTile &dst, const SrcTile &in0,
                                const SrcTile &in1, Fidelity fidelity,
                                DstWidth width, bool accumulate,
                                const NumberModel &model) {
  bool misnormalises = model.misnormalisesMinusOne;
  if (op != FpuBinary::Mul) {
    uint32_t flip = op == FpuBinary::Sub ? 0x80000000 : 0;
    addLoops(width, dst.bits, in0.bits, in1.bits, flip, accumulate ? ~0u : 0,
             misnormalises);
    return;
  }
  if (!accumulate)
    dst = DstTile();
  for (int phase = 0; phase < phases(fidelity); ++phase)
    mulLoops(width, dst.bits, in0.bits, in1.bits, phase, misnormalises);
}

void drawloom::sim::copyToDst(DstTile &dst, const SrcTile &src,
                              DstWidth width) {
  for (int i = 0; i < kTileElements; ++i) {
    uint32_t bits = src.bits[i];
    bool isNan = (bits & 0x7FFFFFFF) > 0x7F800000;
    dst.bits[i] = isNan && width == DstWidth::Bits32
                      ? (bits & 0x80000000) | 0x7F800000
                      : bits;
  }
}

void drawloom::sim::transposeDst(DstTile &dst) {
  for (int row = 0; row < kTileSide; ++row)
    for (int column = row + 1; column < kTileSide; ++column)
      std::swap(dst.bits[row * kTileSide + column],
                dst.bits[column * kTileSide + row]);
}
