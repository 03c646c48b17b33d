// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grid points are independent: none writes what another touches.

#include "Conflicts.h"
#include "Nest.h"

using namespace mlir;
using namespace drawloom::tile;

namespace {
struct Access {
  Operation *op;
  ArrayOp array;
  Nest nest;
  AccessForm form;

  /// Whether where and when it happens follows from the launch alone.
  bool isKnown() const {
    auto dependsOnData = [&](AffineExpr expr) {
      return form.dependsOnData(expr);
    };
    return nest.isExact() && llvm::none_of(form.subscripts, dependsOnData) &&
           llvm::none_of(form.points.nonNegative, dependsOnData) &&
           llvm::none_of(form.points.zero, dependsOnData);
  }
  /// The dimensions of its points that are indices and lanes.
  unsigned dims() const { return form.firstLane + form.lanes; }
};
} // namespace

/// The element an access touches, counted from its argument's base.
static AffineExpr elementOf(const Access &access) {
  auto [strides, offset] =
      cast<MemRefType>(access.form.array.getType()).getStridesAndOffset();
  AffineExpr element = getAffineConstantExpr(offset, access.op->getContext());
  for (auto [subscript, stride] :
       llvm::zip_equal(access.form.subscripts, strides))
    element = element + subscript * stride;
  return element;
}

/// The pairs of a point of `a` and a point of `b` that touch one element; the
/// dimensions of `b` follow those of `a`.
static Points sharedElements(const Access &a, const Access &b) {
  Points pairs = a.form.points;
  unsigned shift = pairs.dims, dims = b.form.points.dims;
  auto moved = [&](AffineExpr expr) { return expr.shiftDims(dims, shift); };
  pairs.dims += dims;
  for (AffineExpr expr : b.form.points.nonNegative)
    pairs.nonNegative.push_back(moved(expr));
  for (AffineExpr expr : b.form.points.zero)
    pairs.zero.push_back(moved(expr));
  if (a.array == b.array)
    for (auto [x, y] : llvm::zip_equal(a.form.subscripts, b.form.subscripts))
      pairs.zero.push_back(x - moved(y));
  else
    pairs.zero.push_back(elementOf(a) - moved(elementOf(b)));
  return pairs;
}

static LogicalResult verifyPair(GridOp grid, const Access &store,
                                const Access &other) {
  Points pairs = sharedElements(store, other);
  MLIRContext *context = grid.getContext();
  unsigned shift = store.form.points.dims;
  for (unsigned dim = 0; dim < grid.getExtents().size(); ++dim) {
    if (grid.isOrdered(dim))
      continue;
    AffineExpr difference =
        getAffineDimExpr(dim, context) - getAffineDimExpr(shift + dim, context);
    for (AffineExpr apart : {difference - 1, -difference - 1}) {
      Points distinct = pairs;
      distinct.nonNegative.push_back(apart);
      auto witness = distinct.find();
      if (!witness)
        continue;
      ArrayRef<int64_t> both(*witness);
      auto error =
          store.op->emitError("grid points must be independent: array \"")
          << ArrayOp(store.array).getName() << "\" is written "
          << store.nest.describe(both.take_front(store.dims()))
          << " where another point "
          << (isa<StoreOp>(other.op) ? "writes" : "reads")
          << " the same element";
      error.attachNote(other.op->getLoc())
          << "the other access, "
          << other.nest.describe(both.slice(shift, other.dims()))
          << "; programs of one launch run in any order, so such a result is "
             "undefined";
      return failure();
    }
  }
  return success();
}

static LogicalResult collect(GridOp grid, const AccessParts &parts,
                             std::vector<Access> &accesses) {
  Nest nest(grid.getContext());
  if (failed(nest.enter(parts.op)))
    return failure();
  auto form = formOf(nest, parts);
  if (failed(form))
    return failure();
  accesses.push_back({parts.op, parts.array.getDefiningOp<ArrayOp>(),
                      std::move(nest), std::move(*form)});
  return success();
}

LogicalResult drawloom::tile::verifyIndependent(GridOp grid) {
  std::vector<Access> stores, loads;
  auto collected = grid.walk([&](Operation *op) {
    if (auto store = dyn_cast<StoreOp>(op))
      return WalkResult(collect(grid, partsOf(store), stores));
    if (auto load = dyn_cast<LoadOp>(op))
      return WalkResult(collect(grid, partsOf(load), loads));
    if (auto read = dyn_cast<ReadOp>(op))
      return WalkResult(collect(grid, partsOf(read), loads));
    return WalkResult::advance();
  });
  if (collected.wasInterrupted())
    return failure();
  for (auto [number, store] : llvm::enumerate(stores)) {
    if (!store.isKnown())
      continue;
    for (std::vector<Access> *others : {&stores, &loads})
      for (Access &other :
           llvm::drop_begin(*others, others == &stores ? number : 0))
        if (ArrayOp(store.array).getArgument() ==
                ArrayOp(other.array).getArgument() &&
            other.isKnown() && failed(verifyPair(grid, store, other)))
          return failure();
  }
  return success();
}
