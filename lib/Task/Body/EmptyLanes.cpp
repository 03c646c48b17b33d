// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills the lanes of tiles that hold no value, for what combines lanes.

#include "EmptyLanes.h"

#include "Literals.h"
#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static bool isPadded(Type element) { return isa<FloatType>(element) || element.isInteger(32); }

/// The mask of `value` that stands before the builder's place, if there is one:
/// several products take the same operand.
static Value knownMask(OpBuilder &b, Value value, IntegerSet inside, Attribute other) {
  for (Operation *user : value.getUsers())
    if (auto mask = dyn_cast<tile::MaskOp>(user))
      if (mask.getTile() == value && mask.getAt().empty() && mask.getBounds() == inside && mask.getOtherAttr() == other &&
          mask->getBlock() == b.getInsertionBlock() && mask->isBeforeInBlock(&*b.getInsertionPoint()))
        return mask;
  return {};
}

/// `value` with `other` in the lanes of its tiles that hold nothing, along one
/// of the last two axes.
static Value padded(OpBuilder &b, Location loc, Value value, int64_t axis, double other) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(axis) % kTileSide == 0 || !isPadded(type.getElementType()))
    return value;
  AffineExpr lane = b.getAffineDimExpr(axis);
  IntegerSet inside = IntegerSet::get(type.getRank(), 0, {type.getDimSize(axis) - 1 - lane}, {false});
  TypedAttr filler = numberOf(type.getElementType(), other);
  if (Value known = knownMask(b, value, inside, filler))
    return known;
  return tile::MaskOp::create(b, loc, type, value, ValueRange{}, inside, filler);
}

/// The same of a vector, which may fill part of a tile in memory order.
static Value paddedVector(OpBuilder &b, Location loc, Value value, double other) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(0) % kTileElements == 0 || !isPadded(type.getElementType()))
    return value;
  IntegerSet inside = IntegerSet::get(1, 0, {type.getDimSize(0) - 1 - b.getAffineDimExpr(0)}, {false});
  return tile::MaskOp::create(b, loc, type, value, ValueRange{}, inside, numberOf(type.getElementType(), other));
}

static Operation *combinerOf(linalg::ReduceOp reduce) {
  mlir::Block &body = reduce.getCombiner().front();
  if (reduce.getInputs().size() != 1 || llvm::range_size(body) != 2)
    return nullptr;
  return &body.front();
}

static Value combined(OpBuilder &b, Location loc, Operation *combiner, Value lhs, Value rhs) {
  return b.create(OperationState(loc, combiner->getName().getStringRef(), ValueRange{lhs, rhs}, TypeRange{lhs.getType()}))
      ->getResult(0);
}

static bool isMinimum(Operation *combiner) { return isa<arith::MinimumFOp, arith::MinNumFOp>(combiner); }
static bool isMaximum(Operation *combiner) { return isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner); }

/// What a combiner leaves unchanged; nothing where it is none of the units'.
static std::optional<double> identityOf(Operation *combiner) {
  if (isa<arith::AddFOp, arith::AddIOp>(combiner))
    return 0;
  if (isMinimum(combiner) || isMaximum(combiner))
    return isMinimum(combiner) ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  if (isa<arith::MinSIOp, arith::MaxSIOp>(combiner))
    return isa<arith::MinSIOp>(combiner) ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int32_t>::min();
  return std::nullopt;
}

static bool isSplat(Value value, double number) {
  APInt integer;
  if (matchPattern(value, m_ConstantInt(&integer)))
    return static_cast<double>(integer.getSExtValue()) == number;
  auto constant = splatOf(value);
  return constant && *constant == number;
}

/// The matrix unit has no minimum: that of negatives is a maximum.
static void negate(linalg::ReduceOp reduce) {
  Operation *minimum = combinerOf(reduce);
  OpBuilder b(reduce);
  Location loc = reduce.getLoc();
  reduce.getInputsMutable().assign(Value(arith::NegFOp::create(b, loc, reduce.getInputs()[0])));
  auto type = cast<RankedTensorType>(reduce.getInits()[0].getType());
  reduce.getInitsMutable().assign(splat(b, loc, type, -std::numeric_limits<double>::infinity()));
  b.setInsertionPoint(minimum);
  Value maximum = arith::MaxNumFOp::create(b, loc, minimum->getOperand(0), minimum->getOperand(1));
  minimum->getResult(0).replaceAllUsesWith(maximum);
  minimum->erase();
  b.setInsertionPointAfter(reduce);
  Value result = reduce->getResult(0);
  auto negative = arith::NegFOp::create(b, loc, result);
  result.replaceAllUsesExcept(negative, negative);
}

bool drawloom::task::hasIdentity(linalg::ReduceOp reduce) {
  Operation *combiner = combinerOf(reduce);
  return combiner && identityOf(combiner);
}

void drawloom::task::settle(linalg::ReduceOp reduce) {
  Operation *combiner = combinerOf(reduce);
  auto identity = combiner ? identityOf(combiner) : std::nullopt;
  if (!identity)
    return;
  OpBuilder b(reduce);
  Location loc = reduce.getLoc();
  Value init = reduce.getInits()[0];
  auto resultType = cast<RankedTensorType>(init.getType());
  if (!isSplat(init, *identity)) {
    b.setInsertionPointAfter(reduce);
    Value result = reduce->getResult(0), merged = combined(b, loc, combiner, result, init);
    result.replaceAllUsesExcept(merged, merged.getDefiningOp());
    b.setInsertionPoint(reduce);
    reduce.getInitsMutable().assign(splat(b, loc, resultType, *identity));
  }
  if (isMinimum(combiner)) {
    negate(reduce);
    identity = -*identity;
    b.setInsertionPoint(reduce);
  }
  Value input = reduce.getInputs()[0];
  auto type = cast<RankedTensorType>(input.getType());
  for (int64_t dim : reduce.getDimensions())
    if (dim + 2 >= type.getRank() && type.getRank() >= 2)
      input = padded(b, loc, input, dim, *identity);
  if (type.getRank() == 1)
    input = paddedVector(b, loc, input, *identity);
  reduce.getInputsMutable().assign(input);
}

/// Whether lanes beyond a value's axes are filled by whoever loads it.
static bool isFilledWithZero(Value value) {
  auto load = bare(value).getDefiningOp<tile::LoadOp>();
  if (!load)
    return false;
  auto pad = dyn_cast_or_null<FloatAttr>(load.getPadAttr());
  return !load.getPadAttr() || (pad && pad.getValue().isZero());
}

void drawloom::task::settle(linalg::LinalgOp product) {
  OpBuilder b(product);
  for (auto [position, axis] : {std::pair(0u, 1), std::pair(1u, 0)}) {
    OpOperand *operand = product.getDpsInputOperand(position);
    auto type = cast<RankedTensorType>(operand->get().getType());
    if (!isFilledWithZero(operand->get()))
      operand->set(padded(b, product.getLoc(), operand->get(), type.getRank() - 2 + axis, 0));
  }
}

void drawloom::task::settle(tile::ScanOp scan) {
  OpBuilder b(scan);
  for (OpOperand &operand : scan->getOpOperands()) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    if (type.getRank() == 1)
      operand.set(paddedVector(b, scan.getLoc(), operand.get(), 0));
    else if (scan.getAxis() + 2 >= static_cast<uint64_t>(type.getRank()))
      operand.set(padded(b, scan.getLoc(), operand.get(), scan.getAxis(), 0));
  }
}
