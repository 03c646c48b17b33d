// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the interpreter's results into the caller's arrays.

#include "TileValue.h"
#include "drawloom/Sim/Interpreter/Interpret.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/Sequence.h"
#include <cstring>

using namespace mlir;

namespace drawloom {

/// The bits of a value in memory.
static uint64_t encode(double value, Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!type) // integers are held exactly; i1 takes a byte
    return static_cast<uint64_t>(integerOf(value));
  llvm::APFloat number(value);
  bool lost;
  number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &lost);
  return number.bitcastToAPInt().getZExtValue();
}

void writeBack(const Reference &reference, std::byte *base) {
  auto type = cast<MemRefType>(tile::ArrayOp(reference.array).getView().getType());
  Type element = type.getElementType();
  size_t bytes = (element.getIntOrFloatBitWidth() + 7) / 8;
  auto [strides, offset] = type.getStridesAndOffset();
  for (size_t number : llvm::seq(reference.value.size())) {
    if (!reference.written[number])
      continue;
    int64_t place = offset, rest = number;
    for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
      place += rest % type.getDimSize(axis) * strides[axis];
      rest /= type.getDimSize(axis);
    }
    uint64_t bits = encode(reference.value[number], element);
    std::memcpy(base + place * static_cast<int64_t>(bytes), &bits, bytes);
  }
}

} // namespace drawloom
