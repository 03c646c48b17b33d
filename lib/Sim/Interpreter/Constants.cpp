// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of a program as values.

#include "Constants.h"

using namespace mlir;

namespace drawloom {

double numberOf(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  APInt value = cast<IntegerAttr>(attribute).getValue();
  if (value.getBitWidth() == 1)
    return value.getZExtValue();
  return static_cast<double>(value.getSExtValue());
}

std::optional<TileValue> constantOf(arith::ConstantOp op) {
  Attribute attribute = op.getValue();
  if (isa<FloatAttr, IntegerAttr>(attribute))
    return TileValue(op.getType(), numberOf(attribute));
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense)
    return std::nullopt;
  if (dense.isSplat())
    return TileValue(op.getType(), numberOf(dense.getSplatValue<Attribute>()));
  TileValue result(op.getType());
  for (auto [to, from] :
       llvm::zip_equal(result.value, dense.getValues<Attribute>()))
    to = numberOf(from);
  return result;
}

} // namespace drawloom
