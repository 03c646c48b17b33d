// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The unpackers: face order to row-major, with the source registers' precision.

#include "drawloom/Sim/Numbers/Unpack.h"
#include "FaceOrder.h"

#include <cassert>
#include <cstring>

using namespace drawloom;
using namespace drawloom::sim;

namespace {

/// Copies a tile as fp32 patterns, row-major.
DRAWLOOM_VECTOR_CLONES void widen(const uint8_t *l1, Format format,
                                  uint32_t *bits) {
  if (elementBytes(format) == 4) {
    forFaceRows([&](int from, int to) {
      std::memcpy(bits + to, l1 + 4 * from, 4 * kFaceSide);
    });
    return;
  }
  forFaceRows([&](int from, int to) {
    uint16_t halves[kFaceSide];
    std::memcpy(halves, l1 + 2 * from, sizeof(halves));
    for (int i = 0; i < kFaceSide; ++i)
      bits[to + i] = uint32_t(halves[i]) << 16;
  });
}

DRAWLOOM_VECTOR_CLONES void narrow(uint32_t *bits, uint32_t mask) {
  for (int i = 0; i < kTileElements; ++i) {
    uint32_t value = bits[i] & mask;
    bits[i] = (value & 0x7F800000) ? value : 0;
  }
}

} // namespace

void drawloom::sim::unpackToSrc(const uint8_t *l1, Format format,
                                SrcFormat srcFormat, SrcTile &src,
                                bool transpose) {
  assert((format == Format::BF16 || format == Format::FP32) &&
         "integers do not pass the source registers");
  SrcTile straight;
  SrcTile &target = transpose ? straight : src;
  widen(l1, format, target.bits);
  narrow(target.bits, srcFormat == SrcFormat::Tf32 ? 0xFFFFE000 : 0xFFFF0000);
  if (!transpose)
    return;
  for (int row = 0; row < kTileSide; ++row)
    for (int column = 0; column < kTileSide; ++column)
      src.bits[column * kTileSide + row] =
          straight.bits[row * kTileSide + column];
}

void drawloom::sim::broadcastSrc(SrcTile &src, Broadcast kind) {
  if (kind == Broadcast::None)
    return;
  if (kind != Broadcast::Row) {
    int rows = kind == Broadcast::Scalar ? 1 : kTileSide;
    for (int row = 0; row < rows; ++row)
      for (int column = 1; column < kTileSide; ++column)
        src.bits[row * kTileSide + column] = src.bits[row * kTileSide];
  }
  if (kind != Broadcast::Column)
    for (int row = 1; row < kTileSide; ++row)
      std::memcpy(src.bits + row * kTileSide, src.bits, 4 * kTileSide);
}

void drawloom::sim::unpackToDst(const uint8_t *l1, Format format,
                                DstTile &dst) {
  widen(l1, format, dst.bits);
}
