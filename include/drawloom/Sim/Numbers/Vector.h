// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector unit's functions on tiles of Dst.

#ifndef DRAWLOOM_SIM_NUMBERS_VECTOR_H
#define DRAWLOOM_SIM_NUMBERS_VECTOR_H

#include "drawloom/Sim/Numbers/Registers.h"

namespace drawloom::sim {

/// `ExpApprox` and `Exp2Approx` take a line through the exponent's bits for the
/// power of two (Schraudolph 1999): off by up to 2^-5 of the result, 0 below
/// e^-88.5, not a number from e^88.7 on.
enum class VectorUnary : uint8_t {
  Exp,
  Exp2,
  ExpApprox,
  Exp2Approx,
  Log,
  Log2,
  Sqrt,
  Rsqrt,
  Recip,
  Sigmoid,
  Silu,
  Tanh,
  Relu,
  GeluErf,
  GeluTanh,
  Abs,
  Neg,
  Square,
  Erf,
  Sin,
  Cos,
  Floor,
  Ceil,
};

enum class VectorBinary : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Max,
  Min,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
};

// All functions read Dst with denormals as zero, compute in fp32 and flush a
// denormal result. A computed result stored to a 16-bit Dst is rounded to
// nearest with ties away from zero, NaN becoming infinity of its sign, and zero
// +0. Selections and sign changes (Relu, Abs, Neg, Max, Min) are exact.
// Add, Sub, Mul and Square have the vector unit's bits; the other functions are
// within one unit of the last place of the exact value, which is what a
// careful kernel on the vector unit reaches. Operands may be the same tile.

void applyUnary(VectorUnary op, DstTile &dst, DstWidth width,
                const NumberModel &model);

/// out = a op b. Comparisons give 1 or 0; Max and Min order by sign and
/// magnitude, so that -0 < +0 and NaN lies beyond infinity.
void applyBinary(VectorBinary op, const DstTile &a, const DstTile &b,
                 DstTile &out, DstWidth width, const NumberModel &model);

/// dst = dst op scalar.
void applyScalar(VectorBinary op, DstTile &dst, float scalar, DstWidth width,
                 const NumberModel &model);

/// out = condition != 0 ? a : b, where -0 counts as zero. Patterns are tested
/// and copied as they are, so that integers can be chosen too.
void applyWhere(const DstTile &condition, const DstTile &a, const DstTile &b,
                DstTile &out);

/// Sets every element, rounded to the width of Dst.
void fillTile(DstTile &dst, float value, DstWidth width);

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_NUMBERS_VECTOR_H
