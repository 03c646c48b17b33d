// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on pages and lanes of a block.

#include "Pages.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

Value Pages::page(Value slot) {
  Value page = e.apply(place.page, slot);
  AffineExpr more = getAffineDimExpr(s.size(), s.context()), tile = getAffineDimExpr(s.size() + 1, s.context());
  auto addAxis = [&](const Axis &axis, AffineExpr position) {
    if (!axis.clamped)
      return;
    Value clamped = e.create<arith::MinSIOp>(e.apply(tileOf(axis, position), slot),
                                             e.constant(axis.lastTile));
    page = e.apply(more + tile * axis.pitch, {page, clamped});
  };
  addAxis(block.rows, place.row);
  addAxis(block.columns, place.column);
  return page;
}

/// Tiles of iterations the reduction loop has.
void Pages::addTrips(Value slot, SmallVectorImpl<Value> &conditions) {
  if (block.rows.trip)
    conditions.push_back(e.isPositive(block.rows.trip - place.row * block.rows.tileLanes, slot));
  if (block.columns.trip)
    conditions.push_back(e.isPositive(block.columns.trip - place.column * block.columns.tileLanes, slot));
}

Value Pages::exists(Value slot) {
  SmallVector<Value> conditions;
  for (AffineExpr guard : block.guards)
    conditions.push_back(e.isPositive(guard + 1));
  auto addAxis = [&](const Axis &axis, AffineExpr tile) {
    for (AffineExpr limit : axis.limits)
      if (!axis.clamped)
        conditions.push_back(e.isPositive(limit - tile * axis.tileLanes, slot));
  };
  addAxis(block.rows, place.row);
  addAxis(block.columns, place.column);
  return e.all(conditions);
}

Value Pages::any(ArrayRef<Value> conditions) {
  Value result;
  for (Value condition : conditions)
    result = result ? e.create<arith::OrIOp>(result, condition).getResult() : condition;
  return result;
}

/// Whether a lane of the tile (or of the whole block) is beyond a limit.
Value Pages::beyondLimits(Value slot, bool wholeBlock) {
  SmallVector<Value> conditions;
  auto addAxis = [&](const Axis &axis, AffineExpr tile) {
    for (AffineExpr limit : axis.limits) {
      AffineExpr end = wholeBlock ? getAffineConstantExpr(axis.totalTiles(), s.context()) : tile + 1;
      conditions.push_back(e.isPositive(end * axis.tileLanes - limit, slot));
    }
  };
  addAxis(block.rows, place.row);
  addAxis(block.columns, place.column);
  return any(conditions);
}

Value Pages::isEdge(Value slot, bool isSent) {
  SmallVector<Value> conditions;
  for (AffineExpr guard : block.guards)
    conditions.push_back(e.isPositive(-guard));
  if (Value beyond = beyondLimits(slot, false)) {
    SmallVector<Value> needed{beyond};
    // Tiles of iterations that do not exist are not computed on, but what is
    // multicast must have been written.
    if (!isSent)
      addTrips(slot, needed);
    conditions.push_back(e.all(needed));
  }
  return any(conditions);
}

Value Pages::hasEdge() {
  SmallVector<Value> conditions;
  for (AffineExpr guard : block.guards)
    conditions.push_back(e.isPositive(-guard));
  if (Value beyond = beyondLimits(e.constant(0), true))
    conditions.push_back(beyond);
  return any(conditions);
}

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

SmallVector<Value> Pages::part() {
  return block.hasShortPages() ? part(e.constant(block.columns.tileLanes)) : SmallVector<Value>();
}

SmallVector<Value> Pages::part(Value elements) {
  int64_t bytes = llvm::divideCeil(block.element().getIntOrFloatBitWidth(), 8);
  AffineExpr n = getAffineDimExpr(s.size(), s.context());
  return {e.constant(0), e.constant(0), e.apply(n * bytes, elements)};
}
