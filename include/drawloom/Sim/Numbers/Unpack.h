// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The unpackers: a tile in L1 becomes a source operand or a tile of Dst.

#ifndef DRAWLOOM_SIM_NUMBERS_UNPACK_H
#define DRAWLOOM_SIM_NUMBERS_UNPACK_H

#include "drawloom/Sim/Numbers/Registers.h"

namespace drawloom::sim {

/// Which part of a tile is repeated over the whole of it: Row repeats row 0
/// downwards, Column repeats column 0 to the right, Scalar repeats element 0.
enum class Broadcast : uint8_t { None, Row, Column, Scalar };

/// Reads `tileBytes(format)` bytes in face order. `format` is BF16 or FP32;
/// mantissa bits that do not fit `srcFormat` are cut off and denormals become
/// +0. With `transpose` the whole 32x32 tile is transposed.
void unpackToSrc(const uint8_t *l1, Format format, SrcFormat srcFormat,
                 SrcTile &src, bool transpose = false);

/// Repeats part of a source operand in place.
void broadcastSrc(SrcTile &src, Broadcast kind);

/// Unpacks past the source registers, bit for bit: 32-bit formats keep their
/// pattern, 16-bit ones are put in the upper half. U16 and I32 move only
/// this way.
void unpackToDst(const uint8_t *l1, Format format, DstTile &dst);

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_NUMBERS_UNPACK_H
