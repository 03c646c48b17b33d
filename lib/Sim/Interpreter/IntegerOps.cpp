// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer and index operations on whole tiles, and the errors they pass on.

#include "IntegerOps.h"
#include "drawloom/Tile/Integers.h"
#include <cmath>

using namespace mlir;

namespace drawloom {

std::optional<TileValue> integerOp(Operation *op, ArrayRef<TileRef> operands) {
  tile::IntegerRule rule = tile::integerRule(op);
  if (!rule)
    return std::nullopt;
  const TileValue &a = *operands[0], &b = *operands.back();
  TileValue result(getElementTypeOrSelf(op->getResult(0).getType()),
                   largestShape(operands));
  int64_t stepA = a.size() > 1, stepB = b.size() > 1;
  for (int64_t i = 0; i < result.size(); ++i) {
    auto value =
        rule(integerOf(a.value[i * stepA]), integerOf(b.value[i * stepB]));
    result.value[i] =
        static_cast<double>(tile::wrapped(value.value_or(0), result.element));
    if (a.errorAt(i * stepA) + b.errorAt(i * stepB) > 0)
      result.errors()[i] = result.element.isInteger(1) ? 1 : INFINITY;
  }
  return result;
}

std::pair<TileValue, TileValue> wideProduct(const TileValue &a,
                                            const TileValue &b) {
  TileValue low(a.element, a.shape), high(a.element, a.shape);
  unsigned width = a.element.getIntOrFloatBitWidth();
  for (int64_t i = 0; i < a.size(); ++i) {
    unsigned __int128 product =
        static_cast<unsigned __int128>(
            tile::unsignedOf(integerOf(a.value[i]), a.element)) *
        tile::unsignedOf(integerOf(b.value[i]), a.element);
    low.value[i] = static_cast<double>(
        tile::wrapped(static_cast<int64_t>(product), a.element));
    high.value[i] = static_cast<double>(
        tile::wrapped(static_cast<int64_t>(product >> width), a.element));
    if (a.errorAt(i) + b.errorAt(i) > 0)
      low.errors()[i] = high.errors()[i] = INFINITY;
  }
  return {std::move(low), std::move(high)};
}

} // namespace drawloom
