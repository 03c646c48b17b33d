// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector unit's functions on tiles of Dst that hold 32-bit integers.

#ifndef DRAWLOOM_SIM_NUMBERS_INTEGER_H
#define DRAWLOOM_SIM_NUMBERS_INTEGER_H

#include "drawloom/Sim/Numbers/Registers.h"

namespace drawloom::sim {

/// Two's complement. Right shifts come without and with the sign.
enum class VectorInteger : uint8_t {
  Add,
  Sub,
  Mul,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  ShiftRightSigned,
  Max,
  Min,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  LtUnsigned,
};

/// Between integers and floats of the same lane.
enum class VectorConversion : uint8_t { IntegerToFloat, FloatToInteger };

/// out = a op b. Results are the low 32 bits; comparisons give the floats 1 or
/// 0; a shift by 32 or more leaves only copies of what it shifts in. Operands
/// may be the same tile.
void applyInteger(VectorInteger op, const DstTile &a, const DstTile &b,
                  DstTile &out);

/// To a float it rounds to nearest even, to an integer it cuts off the
/// fraction; what no integer holds becomes the nearest one, NaN zero.
void applyConversion(VectorConversion op, DstTile &dst);

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_NUMBERS_INTEGER_H
