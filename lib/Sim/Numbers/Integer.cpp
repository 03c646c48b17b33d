// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer functions of the vector unit: one lane at a time, over a tile.

#include "drawloom/Sim/Numbers/Integer.h"
#include "VectorClones.h"

#include <bit>

using namespace drawloom;
using namespace drawloom::sim;

namespace {

constexpr uint32_t kOne = std::bit_cast<uint32_t>(1.0f);

DRAWLOOM_INLINE int32_t asSigned(uint32_t x) { return int32_t(x); }

DRAWLOOM_INLINE uint32_t shifted(VectorInteger op, uint32_t x, uint32_t by) {
  uint32_t within = by < 32 ? by : 31;
  if (op == VectorInteger::ShiftRightSigned)
    return uint32_t(asSigned(x) >> within);
  if (by >= 32)
    return 0;
  return op == VectorInteger::ShiftLeft ? x << by : x >> by;
}

DRAWLOOM_INLINE bool holds(VectorInteger op, uint32_t x, uint32_t y) {
  switch (op) {
  case VectorInteger::Eq:
    return x == y;
  case VectorInteger::Ne:
    return x != y;
  case VectorInteger::Lt:
    return asSigned(x) < asSigned(y);
  case VectorInteger::Le:
    return asSigned(x) <= asSigned(y);
  case VectorInteger::Gt:
    return asSigned(x) > asSigned(y);
  case VectorInteger::Ge:
    return asSigned(x) >= asSigned(y);
  default:
    return x < y; // LtUnsigned
  }
}

DRAWLOOM_INLINE uint32_t lane(VectorInteger op, uint32_t x, uint32_t y) {
  switch (op) {
  case VectorInteger::Add:
    return x + y;
  case VectorInteger::Sub:
    return x - y;
  case VectorInteger::Mul:
    return x * y;
  case VectorInteger::And:
    return x & y;
  case VectorInteger::Or:
    return x | y;
  case VectorInteger::Xor:
    return x ^ y;
  case VectorInteger::ShiftLeft:
  case VectorInteger::ShiftRight:
  case VectorInteger::ShiftRightSigned:
    return shifted(op, x, y);
  case VectorInteger::Max:
    return asSigned(x) > asSigned(y) ? x : y;
  case VectorInteger::Min:
    return asSigned(x) < asSigned(y) ? x : y;
  default:
    return holds(op, x, y) ? kOne : 0;
  }
}

uint32_t toInteger(uint32_t bits) {
  float x = std::bit_cast<float>(bits);
  if (!(x == x))
    return 0;
  if (x >= 0x1p31f)
    return 0x7FFFFFFF;
  return x < -0x1p31f ? 0x80000000 : uint32_t(int32_t(x));
}

} // namespace

void drawloom::sim::applyInteger(VectorInteger op, const DstTile &a,
                                 const DstTile &b, DstTile &out) {
  for (int i = 0; i < kTileElements; ++i)
    out.bits[i] = lane(op, a.bits[i], b.bits[i]);
}

void drawloom::sim::applyConversion(VectorConversion op, DstTile &dst) {
  for (uint32_t &bits : dst.bits)
    bits = op == VectorConversion::FloatToInteger
               ? toInteger(bits)
               : std::bit_cast<uint32_t>(float(asSigned(bits)));
}
