// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of a body.

#include "Literals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

TypedAttr drawloom::task::numberOf(Type element, double value) {
  if (isa<FloatType>(element))
    return FloatAttr::get(element, value);
  return IntegerAttr::get(element, static_cast<int64_t>(value));
}

Value drawloom::task::splat(OpBuilder &b, Location loc, RankedTensorType type, double value) {
  Attribute number = numberOf(type.getElementType(), value);
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, number));
}
