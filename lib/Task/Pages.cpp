// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on pages and lanes of a block.

#include "Pages.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

Value Pages::exists(Value slot) {
  SmallVector<Value> conditions;
  for (AffineExpr guard : block.guards)
    conditions.push_back(e.isPositive(guard + 1));
  for (AffineExpr limit : block.rows.limits)
    if (!limit.isSymbolicOrConstant())
      conditions.push_back(e.isPositive(limit - place.row * block.rows.tileLanes, slot));
  for (AffineExpr limit : block.columns.limits)
    if (!limit.isSymbolicOrConstant())
      conditions.push_back(e.isPositive(limit - place.column * block.columns.tileLanes, slot));
  return e.all(conditions);
}

/// Whether a lane of the tile (or of the whole block) does not exist.
Value Pages::missing(Value slot, bool wholeBlock) {
  Value result;
  auto add = [&](Value condition) {
    result = result ? e.create<arith::OrIOp>(result, condition).getResult() : condition;
  };
  for (AffineExpr guard : block.guards)
    add(e.isPositive(-guard));
  auto addAxis = [&](const Axis &axis, AffineExpr tile) {
    for (AffineExpr limit : axis.limits) {
      AffineExpr end = wholeBlock ? getAffineConstantExpr(axis.totalTiles(), s.context()) : tile + 1;
      add(e.isPositive(end * axis.tileLanes - limit, slot));
    }
  };
  addAxis(block.rows, place.row);
  addAxis(block.columns, place.column);
  return result;
}

Value Pages::isEdge(Value slot) { return missing(slot, false); }
Value Pages::hasEdge() { return missing(e.constant(0), true); }

Value Pages::lanesLeft(const Axis &axis, AffineExpr tile, Value slot) {
  if (axis.limits.empty())
    return e.constant(axis.tileLanes);
  Value least;
  for (AffineExpr limit : axis.limits) {
    Value left = e.apply(limit - tile * axis.tileLanes, slot);
    least = least ? e.create<arith::MinSIOp>(least, left).getResult() : left;
  }
  return least;
}

SmallVector<Value> Pages::keep(Value slot) {
  Value rows = lanesLeft(block.rows, place.row, slot);
  Value columns = lanesLeft(block.columns, place.column, slot);
  for (AffineExpr guard : block.guards)
    columns = e.create<arith::SelectOp>(e.isPositive(guard + 1), columns, e.constant(0));
  if (block.flat)
    return {columns};
  // `keep` counts the tile as it lies in memory.
  return block.transposed ? SmallVector<Value>{columns, rows} : SmallVector<Value>{rows, columns};
}
