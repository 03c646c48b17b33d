// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores two tiles that were joined lane by lane one after the other.
//
// Lanes of tiles do not move between tiles; in memory every second element is
// as good as any.

#include "drawloom/Tile/TilePasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom::tile;

static Value withoutCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether a condition holds where the last axis of its lanes is at 0.
static bool isFirstOfLast(Value condition) {
  auto mask = condition.getDefiningOp<MaskOp>();
  auto type = cast<RankedTensorType>(condition.getType());
  DenseElementsAttr all;
  if (!mask || !mask.getAt().empty() || !matchPattern(mask.getTile(), m_Constant(&all)) ||
      !all.isSplat() || !all.getSplatValue<APInt>().getBoolValue() ||
      !matchPattern(mask.getOther(), m_Zero()))
    return false;
  IntegerSet set = mask.getBounds();
  AffineExpr last = getAffineDimExpr(type.getRank() - 1, condition.getContext());
  return set.getNumConstraints() == 1 && set.getConstraint(0) == simplifyAffineExpr(-last, type.getRank(), 0);
}

/// The value that is repeated along the last axis, if it is nothing else.
static Value repeatedAlongLast(Value value) {
  auto repeat = withoutCasts(value).getDefiningOp<linalg::BroadcastOp>();
  int64_t last = cast<RankedTensorType>(value.getType()).getRank() - 1;
  return repeat && repeat.getDimensions() == ArrayRef<int64_t>{last} ? repeat.getInput() : Value();
}

std::optional<Joined> drawloom::tile::joinedOf(Value tile) {
  auto collapse = withoutCasts(tile).getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse)
    return std::nullopt;
  auto groups = collapse.getReassociationIndices();
  bool onlyLast = llvm::all_of(ArrayRef(groups).drop_back(), [](auto &group) { return group.size() == 1; });
  if (!onlyLast || groups.back().size() != 2 || collapse.getSrcType().getShape().back() != 2)
    return std::nullopt;
  auto select = withoutCasts(collapse.getSrc()).getDefiningOp<arith::SelectOp>();
  if (!select || !isa<RankedTensorType>(select.getCondition().getType()) || !isFirstOfLast(select.getCondition()))
    return std::nullopt;
  Joined joined{repeatedAlongLast(select.getTrueValue()), repeatedAlongLast(select.getFalseValue())};
  return joined.even && joined.odd ? std::optional(joined) : std::nullopt;
}

/// Stores `half` where the store had lanes 2 * i + `offset`.
static void storeHalf(StoreOp store, Value half, int64_t offset) {
  OpBuilder b(store);
  Type element = store.getTile().getType().getElementType();
  auto type = cast<RankedTensorType>(half.getType());
  if (type.getElementType() != element)
    half = arith::TruncFOp::create(b, store.getLoc(), RankedTensorType::get(type.getShape(), element), half);
  unsigned dims = store.getAccess().getNumDims();
  SmallVector<AffineExpr> replaced;
  for (unsigned dim = 0; dim < dims; ++dim)
    replaced.push_back(b.getAffineDimExpr(dim));
  replaced.back() = replaced.back() * 2 + offset;
  auto copy = cast<StoreOp>(b.clone(*store));
  copy.getTileMutable().assign(half);
  copy.setAccessAttr(AffineMapAttr::get(store.getAccess().replaceDimsAndSymbols(replaced, {}, dims, 0)));
  if (auto bounds = store.getBounds())
    copy.setBoundsAttr(IntegerSetAttr::get(bounds->replaceDimsAndSymbols(replaced, {}, dims, 0)));
}

void drawloom::tile::splitStores(GridOp grid) {
  SmallVector<StoreOp> stores;
  grid.getBody().walk([&](StoreOp store) { stores.push_back(store); });
  for (StoreOp store : stores) {
    auto joined = store.getLookup() ? std::nullopt : joinedOf(store.getTile());
    if (!joined)
      continue;
    storeHalf(store, joined->even, 0);
    storeHalf(store, joined->odd, 1);
    store.erase();
  }
  SmallVector<Operation *> ops;
  grid.getBody().walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}
