// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The AVX2 form of the matrix product, private to the library.

#ifndef DRAWLOOM_LIB_SIM_NUMBERS_MATMULAVX2_H
#define DRAWLOOM_LIB_SIM_NUMBERS_MATMULAVX2_H

#include "drawloom/Sim/Numbers/Matmul.h"

namespace drawloom::sim {

/// Whether this processor can run multiplyAccumulateAvx2.
bool hasAvx2();

/// Call only if hasAvx2().
void multiplyAccumulateAvx2(DstTile &dst, const PreparedIn0 &in0,
                            const PreparedIn1 &in1, Fidelity fidelity,
                            DstWidth width, const NumberModel &model);

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_NUMBERS_MATMULAVX2_H
