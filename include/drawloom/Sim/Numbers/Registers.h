// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles in the registers of a core, and the arithmetic properties of a chip.

#ifndef DRAWLOOM_SIM_NUMBERS_REGISTERS_H
#define DRAWLOOM_SIM_NUMBERS_REGISTERS_H

#include "drawloom/Machine/Formats.h"
#include <cstdint>

namespace drawloom::sim {

/// Format of a tile in SrcA or SrcB: 8 exponent bits and 7 or 10 mantissa bits.
enum class SrcFormat : uint8_t { Bf16, Tf32 };

/// Width of an element of Dst: bf16, or fp32 with half the tiles.
enum class DstWidth : uint8_t { Bits16, Bits32 };

/// Element index of (row, column) of a tile in L1, where the four 16x16 faces
/// (top left, top right, bottom left, bottom right) lie one after another, each
/// row-major.
constexpr int faceOrderIndex(int row, int column) {
  int face = row / kFaceSide * 2 + column / kFaceSide;
  return face * kFaceSide * kFaceSide + row % kFaceSide * kFaceSide +
         column % kFaceSide;
}

/// Format the unpacker chooses for a source operand: fp32 keeps TF32 precision
/// only when Dst is 32 bits wide.
constexpr SrcFormat srcFormatFor(Format l1, DstWidth width) {
  return l1 == Format::FP32 && width == DstWidth::Bits32 ? SrcFormat::Tf32
                                                         : SrcFormat::Bf16;
}

/// Tile of the Dst register file: row-major fp32 patterns. In a 16-bit Dst the
/// low half of every pattern is zero.
struct DstTile {
  alignas(64) uint32_t bits[kTileElements] = {};
};

/// Tile of SrcA or SrcB: row-major fp32 patterns of which only the bits of the
/// SrcFormat can be set; denormals and negative zero are already +0.
struct SrcTile {
  alignas(64) uint32_t bits[kTileElements] = {};
};

/// Properties of the arithmetic units that differ between chips.
struct NumberModel {
  /// When the terms of an fp32 sum add up to exactly -1 of the last place, the
  /// matrix unit gives minus two to the power that is 27 larger than right.
  bool misnormalisesMinusOne = false;
  /// The vector unit keeps the sign of a zero result; otherwise it gives +0.
  bool keepsZeroSign = true;
  /// Pattern the vector unit returns for an invalid fp32 operation.
  uint32_t nan = 0x7FC00000;
};

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_NUMBERS_REGISTERS_H
