// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit's 32x32x32 product, bit for bit.

#ifndef DRAWLOOM_SIM_NUMBERS_MATMUL_H
#define DRAWLOOM_SIM_NUMBERS_MATMUL_H

#include "drawloom/Sim/Numbers/Registers.h"

namespace drawloom::sim {

/// Left operand (SrcB of the hardware) split into exponent, sign and the two
/// factors the 7-bit multiplier input takes, each repeated to fill 32 bits.
struct PreparedIn0 {
  alignas(32) uint32_t exponent[kTileSide][kTileSide];  // two int16
  alignas(32) uint32_t factor[2][kTileSide][kTileSide]; // bytes {f, 1, f, 1}
  alignas(32) uint32_t sign[kTileSide][kTileSide];      // two int16, +1 or -1
};

/// Right operand (SrcA of the hardware) split into exponent and the two factors
/// the 5-bit multiplier input takes; the sign is folded into the factors.
struct PreparedIn1 {
  alignas(32) int16_t exponent[kTileSide][kTileSide];
  alignas(32) uint16_t factor[2][kTileSide][kTileSide]; // bytes {+-4f, +-1}
};

/// Splits a tile once, for any number of products. A transposed operand is
/// transposed when it is unpacked.
void prepareIn0(const SrcTile &src, PreparedIn0 &prepared);
void prepareIn1(const SrcTile &src, PreparedIn1 &prepared);

/// dst += in0 * in1. Per fidelity phase and per half of K, sixteen products are
/// summed in two groups of eight aligned to the group's largest exponent, and
/// the two sums and Dst are aligned, added and rounded to the width of Dst.
/// Uses 16-bit lanes where the processor has AVX2, else the scalar form; both
/// give the same bits.
void multiplyAccumulate(DstTile &dst, const PreparedIn0 &in0,
                        const PreparedIn1 &in1, Fidelity fidelity,
                        DstWidth width, const NumberModel &model);

/// The scalar form of multiplyAccumulate, on any processor.
void multiplyAccumulateScalar(DstTile &dst, const PreparedIn0 &in0,
                              const PreparedIn1 &in1, Fidelity fidelity,
                              DstWidth width, const NumberModel &model);

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_NUMBERS_MATMUL_H
