// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The packer: a tile of Dst becomes bytes in L1.

#ifndef DRAWLOOM_SIM_NUMBERS_PACK_H
#define DRAWLOOM_SIM_NUMBERS_PACK_H

#include "drawloom/Sim/Numbers/Registers.h"

namespace drawloom::sim {

/// Part of a tile that a packer lets through; the rest is written as zero. A
/// reduction is packed with the mask of its result.
enum class PackMask : uint8_t { All, Row0, Column0, Element0 };

/// Writes `tileBytes(format)` bytes in face order.
/// To BF16 a 32-bit Dst rounds to nearest, ties away from zero; NaN becomes
/// infinity and denormals +0. To FP32 a 32-bit Dst is copied and a 16-bit one
/// widened after the same clean-up. I32 and U16 are copied.
void packTile(const DstTile &dst, DstWidth width, Format format, uint8_t *l1,
              PackMask mask = PackMask::All);

/// As packTile, but adds to what is in L1: fp32 with denormals flushed, bf16
/// rounded to nearest even. `format` is BF16 or FP32.
void packAccumulate(const DstTile &dst, DstWidth width, Format format,
                    uint8_t *l1);

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_NUMBERS_PACK_H
