// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the values of a kernel have become in the tile program.

#include "Emitter.h"
#include "Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace drawloom::tt {

Type Emitter::narrow(Type element) {
  return element.isInteger(64) ? builder.getI32Type() : element;
}

TypedAttr Emitter::narrowed(TypedAttr value) {
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer && integer.getType().isInteger(64)
             ? builder.getI32IntegerAttr(integer.getInt())
             : value;
}

RankedTensorType Emitter::tensorOf(Type type) {
  return RankedTensorType::get(laneShape(type),
                               narrow(getElementTypeOrSelf(type)));
}

Value Emitter::constant(TypedAttr value, ArrayRef<int64_t> shape,
                        Location loc) {
  value = narrowed(value);
  auto type = RankedTensorType::get(shape, value.getType());
  return shared(DenseElementsAttr::get(type, Attribute(value)), loc);
}

Value Emitter::index(int64_t value, Location loc) {
  return shared(builder.getIndexAttr(value), loc);
}

Value Emitter::shared(TypedAttr value, Location loc) {
  Value &known = constants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&grid.getBody().front());
    known = arith::ConstantOp::create(builder, loc, value);
  }
  return known;
}

Value Emitter::empty(RankedTensorType type, Location loc) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType());
}

Value Emitter::data(Value value, Operation *user) {
  if (Value tile = tiles.lookup(value))
    return tile;
  ArrayRef<int64_t> shape = laneShape(value.getType());
  if (TypedAttr attribute = constantOf(kernel, value))
    return constant(attribute, shape, at(user));
  if (auto *condition = kernel.exactly(value)) {
    Value always = constant(builder.getBoolAttr(true), shape, at(user));
    if (Value mask =
            masked(always, *condition, builder.getBoolAttr(false), at(user)))
      return mask;
  }
  if (auto *index = kernel.as<IndexExpr>(value))
    if (Value lanes = laneNumbers(*index, at(user)))
      return lanes;
  if (auto *unknown = kernel.as<Unknown>(value))
    (void)refuse(user->getLoc(), "a value is used as data that", *unknown);
  else
    (void)refuse(user->getLoc(),
                 "an index that is no affine function of programs, iterations "
                 "and lanes, or 64-bit arithmetic on loaded integers, is used "
                 "as data");
  return {};
}

FailureOr<SmallVector<Value>> Emitter::dataOperands(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(data(operand, op));
    if (!operands.back())
      return failure();
  }
  return operands;
}

Value Emitter::masked(Value tile, const Condition &condition, TypedAttr other,
                      Location loc) {
  auto known = formsOf(condition);
  if (!known)
    return {};
  std::vector<Linear> &forms = *known;
  auto type = cast<RankedTensorType>(tile.getType());
  Indices indices = indicesOf({&forms}, type.getRank());
  if (indices.lookup)
    return {};
  for (Linear &form : forms) // a scalar condition has no lanes
    form.factors.resize(linearize.laneStart() + type.getRank());
  return tile::MaskOp::create(builder, loc, tile.getType(), tile,
                              indices.operands, setOf(forms, indices), other);
}

SmallVector<Value> Emitter::build(const OperationState &state) {
  Operation *created = builder.create(state);
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(created, folded)) &&
      folded.size() == created->getNumResults()) {
    created->erase();
    return folded;
  }
  return SmallVector<Value>(created->getResults());
}

} // namespace drawloom::tt
