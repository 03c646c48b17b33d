// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Axes of tiles: broadcasts, reshapes, transposes, parts.

#include "Emitter.h"
#include "Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace drawloom::tt {

//===-- Axes ----------------------------------------------------------------//

/// Splats and broadcasts: the axes that stretch are new axes of a
/// linalg.broadcast.
LogicalResult Emitter::emitBroadcast(Operation *op) {
  Value source = data(op->getOperand(0), op);
  if (!source)
    return failure();
  RankedTensorType to = tensorOf(op->getResult(0).getType());
  auto from = cast<RankedTensorType>(source.getType());
  if (from == to) {
    tiles[op->getResult(0)] = source;
    return success();
  }
  if (auto literal = source.getDefiningOp<arith::ConstantOp>())
    if (auto splat = dyn_cast<SplatElementsAttr>(literal.getValue())) {
      tiles[op->getResult(0)] =
          constant(cast<TypedAttr>(splat.getSplatValue<Attribute>()),
                   to.getShape(), at(op));
      return success();
    }
  SmallVector<int64_t> stretched, kept;
  for (int64_t d = 0; d < to.getRank(); ++d)
    if (from.getRank() == 0 || from.getDimSize(d) != to.getDimSize(d))
      stretched.push_back(d);
    else
      kept.push_back(to.getDimSize(d));
  auto thin = RankedTensorType::get(kept, to.getElementType());
  auto expanded = source.getDefiningOp<tensor::ExpandShapeOp>();
  if (expanded && expanded.getSrcType() == thin) {
    source = expanded.getSrc();
  } else if (from != thin) {
    auto reassociation = getReassociationIndicesForReshape(from, thin);
    source = tensor::CollapseShapeOp::create(
        builder, at(op), thin, source,
        reassociation.value_or(SmallVector<ReassociationIndices>()));
  }
  tiles[op->getResult(0)] =
      linalg::BroadcastOp::create(builder, at(op), source, empty(to, at(op)),
                                  stretched)
          ->getResult(0);
  return success();
}

LogicalResult Emitter::emitExpandDims(ExpandDimsOp op) {
  Value source = data(op.getSource(), op);
  if (!source)
    return failure();
  RankedTensorType to = tensorOf(op.getType());
  SmallVector<ReassociationIndices> groups;
  int64_t sourceRank = to.getRank() - 1, axis = op.getAxis();
  for (int64_t d = 0, next = 0; d < sourceRank; ++d) {
    ReassociationIndices group = {next++};
    if (next == axis && d == sourceRank - 1)
      group.push_back(next++);
    else if (group[0] == axis)
      group.push_back(next++);
    groups.push_back(group);
  }
  tiles[op.getResult()] =
      tensor::ExpandShapeOp::create(builder, at(op), to, source, groups);
  return success();
}

LogicalResult Emitter::emitReshape(ReshapeOp op) {
  Value source = data(op.getSource(), op);
  if (!source)
    return failure();
  RankedTensorType from = tensorOf(op.getSource().getType()),
                   to = tensorOf(op.getType());
  if (from == to) {
    tiles[op.getResult()] = source;
    return success();
  }
  auto reshape = [&](RankedTensorType from, RankedTensorType to, Value value) {
    auto groups = getReassociationIndicesForReshape(from, to);
    if (!groups)
      return Value();
    return from.getRank() > to.getRank()
               ? Value(tensor::CollapseShapeOp::create(builder, at(op), to,
                                                       value, *groups))
               : Value(tensor::ExpandShapeOp::create(builder, at(op), to, value,
                                                     *groups));
  };
  Value result = reshape(from, to, source);
  if (!result) { // through one axis of all elements
    auto flat =
        RankedTensorType::get({from.getNumElements()}, from.getElementType());
    result = reshape(flat, to, reshape(from, flat, source));
  }
  tiles[op.getResult()] = result;
  return success();
}

LogicalResult Emitter::emitTrans(TransOp op) {
  if (tiles.count(op.getResult())) // folded into its load
    return success();
  Value source = data(op.getSource(), op);
  if (!source)
    return failure();
  SmallVector<int64_t> order(op.getOrder().begin(), op.getOrder().end());
  tiles[op.getResult()] =
      linalg::TransposeOp::create(builder, at(op), source,
                                  empty(tensorOf(op.getType()), at(op)), order)
          ->getResult(0);
  return success();
}

//===-- Parts ---------------------------------------------------------------//

/// Whether the last of `rank` axes is lane `which`, as a condition on lanes.
static IntegerSetAttr lastLaneIs(int64_t which, unsigned rank,
                                 MLIRContext *context) {
  AffineExpr last = getAffineDimExpr(rank - 1, context);
  return IntegerSetAttr::get(
      IntegerSet::get(rank, 0, which ? last - 1 : -last, false));
}

/// The halves of a last axis of 2: loads of every second element where the
/// value comes from loads, else sums of the one lane that is not masked.
LogicalResult Emitter::emitSplit(SplitOp op) {
  Value source = data(op.getSource(), op);
  if (!source)
    return failure();
  auto type = cast<RankedTensorType>(source.getType());
  ArrayRef<int64_t> shape = type.getShape().drop_back();
  for (auto [which, result] : llvm::enumerate(op.getResults())) {
    LaneMap map = LaneMap::identity(shape);
    map.old.push_back({int64_t(which), SmallVector<int64_t>(shape.size(), 0)});
    Value part = moves.move(source, map, at(op));
    if (!part) {
      TypedAttr zero =
          cast<TypedAttr>(builder.getZeroAttr(type.getElementType()));
      Value only = tile::MaskOp::create(
          builder, at(op), type, source, ValueRange(),
          lastLaneIs(which, type.getRank(), builder.getContext()), zero);
      bool isFloat = isa<FloatType>(type.getElementType());
      part = reduceAxis(only, type.getRank() - 1, zero,
                        isFloat ? "arith.addf" : "arith.addi", at(op));
    }
    tiles[result] = part;
  }
  return success();
}

/// Two tiles side by side along a new last axis of 2.
Value Emitter::join(Value first, Value second, Location loc) {
  auto type = cast<RankedTensorType>(first.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(2);
  auto wide = RankedTensorType::get(shape, type.getElementType());
  auto stretch = [&](Value part) {
    return linalg::BroadcastOp::create(builder, loc, part, empty(wide, loc),
                                       ArrayRef<int64_t>{type.getRank()})
        ->getResult(0);
  };
  Value always = constant(builder.getBoolAttr(true), shape, loc);
  Value isFirst =
      tile::MaskOp::create(builder, loc, always.getType(), always, ValueRange(),
                           lastLaneIs(0, shape.size(), builder.getContext()),
                           builder.getBoolAttr(false));
  Value both = arith::SelectOp::create(builder, loc, isFirst, stretch(first),
                                       stretch(second));
  moves.addJoin(both, first, second);
  return both;
}

LogicalResult Emitter::emitJoin(JoinOp op) {
  Value first = data(op.getLhs(), op), second = data(op.getRhs(), op);
  if (!first || !second)
    return failure();
  tiles[op.getResult()] = join(first, second, at(op));
  return success();
}

/// One tile after the other along the first axis.
LogicalResult Emitter::emitCat(CatOp op) {
  Value first = data(op.getLhs(), op), second = data(op.getRhs(), op);
  if (!first || !second)
    return failure();
  Value joined = join(first, second, at(op));
  auto type = cast<RankedTensorType>(joined.getType());
  int64_t rank = type.getRank();
  SmallVector<int64_t> order = {rank - 1}, shape = {2};
  for (int64_t axis = 0; axis < rank - 1; ++axis) {
    order.push_back(axis);
    shape.push_back(type.getDimSize(axis));
  }
  auto turned = RankedTensorType::get(shape, type.getElementType());
  Value parts = linalg::TransposeOp::create(builder, at(op), joined,
                                            empty(turned, at(op)), order)
                    ->getResult(0);
  SmallVector<ReassociationIndices> groups = {{0, 1}};
  for (int64_t axis = 2; axis < rank; ++axis)
    groups.push_back({axis});
  tiles[op.getResult()] = tensor::CollapseShapeOp::create(
      builder, at(op), tensorOf(op.getType()), parts, groups);
  return success();
}

} // namespace drawloom::tt
