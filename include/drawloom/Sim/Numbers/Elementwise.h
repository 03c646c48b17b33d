// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit's element-wise operations, and moves within the core.

#ifndef DRAWLOOM_SIM_NUMBERS_ELEMENTWISE_H
#define DRAWLOOM_SIM_NUMBERS_ELEMENTWISE_H

#include "drawloom/Sim/Numbers/Registers.h"

namespace drawloom::sim {

enum class FpuBinary : uint8_t { Add, Sub, Mul };

/// dst = in0 op in1, or dst += in0 op in1 with `accumulate`. The smaller of two
/// addends is aligned to 11 bits with halves rounded up; a product is computed
/// in the phases of `fidelity`, each rounded into Dst. The hardware's multiply
/// always accumulates: on a Dst that was just acquired that is overwriting.
/// `fidelity` concerns Mul only.
void elementwise(FpuBinary op, DstTile &dst, const SrcTile &in0,
                 const SrcTile &in1, Fidelity fidelity, DstWidth width,
                 bool accumulate, const NumberModel &model);

/// dst = src, as copy_tile does it: a move into a 16-bit Dst, an addition of
/// zero into a 32-bit one (NaN becomes infinity there).
void copyToDst(DstTile &dst, const SrcTile &src, DstWidth width);

/// Transposes a 32x32 tile within Dst; exact.
void transposeDst(DstTile &dst);

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_NUMBERS_ELEMENTWISE_H
