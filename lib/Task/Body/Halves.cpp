// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves of rows by products with ones where a lane goes to another.

#include "Halves.h"

#include "Rewrite.h"
#include "drawloom/Tile/TilePasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static RankedTensorType withShape(Value value, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, typeOf(value).getElementType());
}

/// A vector as one row; a block as it is. Nothing for other shapes.
static Value asRows(OpBuilder &b, Location loc, Value value) {
  if (typeOf(value).getRank() == 2)
    return value;
  if (typeOf(value).getRank() != 1)
    return {};
  SmallVector<ReassociationIndices> axes{{0, 1}};
  return tensor::ExpandShapeOp::create(b, loc, withShape(value, {1, typeOf(value).getDimSize(0)}), value, axes);
}

static Value asBefore(OpBuilder &b, Location loc, Value rows, RankedTensorType type) {
  if (typeOf(rows) == type)
    return rows;
  SmallVector<ReassociationIndices> axes{{0, 1}};
  return tensor::CollapseShapeOp::create(b, loc, type, rows, axes);
}

/// Which of two last lanes a mask keeps, the other being zero.
static std::optional<int64_t> keptOfLast(tile::MaskOp mask) {
  auto type = cast<RankedTensorType>(mask.getTile().getType());
  IntegerSet set = mask.getBounds();
  if (set.getNumConstraints() != 1 || !mask.getAt().empty() || !matchPattern(mask.getOther(), m_AnyZeroFloat()))
    return std::nullopt;
  AffineExpr last = getAffineDimExpr(type.getRank() - 1, set.getContext());
  for (int64_t which : {0, 1})
    if (set.getConstraint(0) == simplifyAffineExpr(which ? last - 1 : -last, type.getRank(), 0))
      return which;
  return std::nullopt;
}

/// What a tile with a last axis of two was before, with one axis for the last
/// two.
static Value beforePairs(Value pairs) {
  auto expand = pairs.getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand || typeOf(pairs).getShape().back() != 2)
    return {};
  auto groups = expand.getReassociationIndices();
  bool onlyLast = llvm::all_of(ArrayRef(groups).drop_back(), [](auto &group) { return group.size() == 1; });
  return onlyLast && groups.back().size() == 2 ? expand.getSrc() : Value();
}

void drawloom::task::selectHalf(linalg::ReduceOp reduce) {
  int64_t rank = typeOf(reduce.getInputs()[0]).getRank();
  auto mask = reduce.getInputs()[0].getDefiningOp<tile::MaskOp>();
  bool isSum = llvm::range_size(reduce.getCombiner().front()) == 2 &&
               isa<arith::AddFOp>(reduce.getCombiner().front().front());
  if (!mask || !isSum || reduce.getInputs().size() != 1 || reduce.getDimensions() != ArrayRef<int64_t>{rank - 1})
    return;
  auto which = keptOfLast(mask);
  Value whole = which ? beforePairs(mask.getTile()) : Value();
  OpBuilder b(reduce);
  Value rows = whole ? asRows(b, reduce.getLoc(), whole) : Value();
  if (!rows)
    return;
  AffineExpr r = b.getAffineDimExpr(0), c = b.getAffineDimExpr(1);
  Value half = moveLanes(b, reduce.getLoc(), rows, typeOf(rows).getDimSize(1) / 2, r - 2 * c - *which, {});
  reduce.getResult(0).replaceAllUsesWith(asBefore(b, reduce.getLoc(), half, typeOf(reduce.getResult(0))));
  reduce.erase();
}

void drawloom::task::joinHalves(tensor::CollapseShapeOp collapse) {
  auto joined = tile::joinedOf(collapse.getResult());
  if (!joined || !isa<FloatType>(typeOf(collapse.getResult()).getElementType()))
    return;
  OpBuilder b(collapse);
  Location loc = collapse.getLoc();
  Value even = asRows(b, loc, joined->even), odd = asRows(b, loc, joined->odd);
  if (!even || !odd || typeOf(even) != typeOf(odd))
    return;
  AffineExpr r = b.getAffineDimExpr(0), c = b.getAffineDimExpr(1);
  int64_t lanes = typeOf(even).getDimSize(1) * 2;
  Value sum = moveLanes(b, loc, even, lanes, c - 2 * r, {});
  sum = moveLanes(b, loc, odd, lanes, c - 2 * r - 1, sum);
  collapse.getResult().replaceAllUsesWith(asBefore(b, loc, sum, typeOf(collapse.getResult())));
  collapse.erase();
}
