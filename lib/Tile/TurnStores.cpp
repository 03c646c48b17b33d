// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores permuted tiles as they were before, to where the permuted lanes go.
//
// An axis of tiles (all but the last two) that becomes one of lanes would take
// lanes of many tiles together; in memory it is another address.

#include "drawloom/Tile/TilePasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace drawloom::tile;

namespace {

/// A stored value followed back through changes of its axes: the lanes of the
/// store's tile in terms of the lanes of `value`.
struct Turned {
  Value value;
  SmallVector<AffineExpr> lanes;
  bool permutes = false; ///< an axis of tiles changed its place
  bool merges = false;   ///< one lane of the store comes from two axes

  /// One operation further back, if it does no more than move or round lanes.
  bool step();

private:
  bool stepThrough(linalg::TransposeOp transpose);
  bool stepThrough(tensor::CollapseShapeOp collapse);
  /// Replaces lane i of `value` in `lanes` by `by[i]`.
  void replaceLanes(ArrayRef<AffineExpr> by) {
    for (AffineExpr &lane : lanes)
      lane = lane.replaceDims(by);
  }
};

} // namespace

bool Turned::stepThrough(linalg::TransposeOp transpose) {
  ArrayRef<int64_t> order = transpose.getPermutation();
  SmallVector<AffineExpr> by;
  for (int64_t axis : order)
    by.push_back(getAffineDimExpr(axis, value.getContext()));
  for (size_t axis = 0; axis + 2 < order.size(); ++axis)
    permutes |= order[axis] != int64_t(axis);
  replaceLanes(by);
  value = transpose.getInput();
  return true;
}

bool Turned::stepThrough(tensor::CollapseShapeOp collapse) {
  SmallVector<AffineExpr> by;
  for (const auto &group : collapse.getReassociationIndices()) {
    AffineExpr lane = getAffineConstantExpr(0, value.getContext());
    for (int64_t axis : group)
      lane = lane * collapse.getSrcType().getDimSize(axis) + getAffineDimExpr(axis, value.getContext());
    merges |= group.size() > 1;
    by.push_back(lane);
  }
  replaceLanes(by);
  value = collapse.getSrc();
  return true;
}

bool Turned::step() {
  Operation *op = value.getDefiningOp();
  if (!op || !op->hasOneUse())
    return false;
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return stepThrough(transpose);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return stepThrough(collapse);
  if (!isa<arith::TruncFOp>(op))
    return false;
  value = op->getOperand(0);
  return true;
}

/// Erases `op` and what only it needed.
static void eraseDead(Operation *op) {
  if (!op || !isOpTriviallyDead(op))
    return;
  llvm::SmallSetVector<Operation *, 2> before;
  for (Value operand : op->getOperands())
    before.insert(operand.getDefiningOp());
  op->erase();
  for (Operation *one : before)
    eraseDead(one);
}

/// Stores `turned.value` where the store's tile went.
static void storeTurned(StoreOp store, const Turned &turned) {
  OpBuilder b(store);
  auto type = cast<RankedTensorType>(turned.value.getType());
  Type element = store.getTile().getType().getElementType();
  Value value = turned.value;
  if (type.getElementType() != element)
    value = arith::TruncFOp::create(b, store.getLoc(), type.clone(element), value);
  unsigned dims = store.getAccess().getNumDims(), indices = dims - turned.lanes.size();
  SmallVector<AffineExpr> by;
  for (unsigned dim = 0; dim < indices; ++dim)
    by.push_back(b.getAffineDimExpr(dim));
  for (AffineExpr lane : turned.lanes)
    by.push_back(lane.shiftDims(type.getRank(), indices));
  unsigned count = indices + type.getRank();
  Operation *before = store.getTile().getDefiningOp();
  store.getTileMutable().assign(value);
  eraseDead(before);
  store.setAccessAttr(AffineMapAttr::get(store.getAccess().replaceDimsAndSymbols(by, {}, count, 0)));
  if (auto bounds = store.getBounds())
    store.setBoundsAttr(IntegerSetAttr::get(bounds->replaceDimsAndSymbols(by, {}, count, 0)));
}

void drawloom::tile::turnStores(GridOp grid) {
  grid.getBody().walk([](StoreOp store) {
    Turned turned{store.getTile()};
    for (int64_t axis = 0, rank = store.getTile().getType().getRank(); axis < rank; ++axis)
      turned.lanes.push_back(getAffineDimExpr(axis, store.getContext()));
    Turned best = turned;
    while (turned.step())
      if (turned.permutes && !best.permutes)
        best = turned;
    if (best.permutes && !store.getLookup() && !(best.merges && store.getBounds()))
      storeTurned(store, best);
  });
}
