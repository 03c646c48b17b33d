// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses how each array lies in device memory.

#include "drawloom/Plan/Apply.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom::plan {
namespace {

/// An access as the layouts see it.
struct View {
  Operation *op;
  AffineMap map;
  unsigned indices;
  RankedTensorType tile;
  Value value;

  unsigned lanes() const { return tile.getRank(); }
  AffineExpr lane(unsigned axis) const {
    return getAffineDimExpr(indices + axis, map.getContext());
  }
};

View viewOf(Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return {op, load.getAccess(), unsigned(load.getAt().size()),
            cast<RankedTensorType>(load.getTile().getType()), load.getTile()};
  auto store = cast<tile::StoreOp>(op);
  return {op, store.getAccess(), unsigned(store.getAt().size()),
          cast<RankedTensorType>(store.getTile().getType()), store.getTile()};
}

/// The lane axis that `subscript` walks with stride one from a multiple of
/// `align`; nothing if it is anything else.
std::optional<unsigned> alignedLane(const View &view, AffineExpr subscript, int64_t align) {
  for (unsigned axis = 0; axis < view.lanes(); ++axis) {
    AffineExpr rest = simplifyAffineExpr(subscript - view.lane(axis),
                                         view.map.getNumDims(), 0);
    bool other = false;
    for (unsigned lane = 0; lane < view.lanes(); ++lane)
      other |= rest.isFunctionOfDim(view.indices + lane);
    if (!other)
      return rest.isMultipleOf(align) ? std::optional(axis) : std::nullopt;
  }
  return std::nullopt;
}

bool usesNoLane(const View &view, AffineExpr subscript) {
  for (unsigned lane = 0; lane < view.lanes(); ++lane)
    if (subscript.isFunctionOfDim(view.indices + lane))
      return false;
  return true;
}

/// Whether a rank-1 value meets blocks: then it is a row or column of tiles.
bool meetsBlocks(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isa<linalg::BroadcastOp>(user))
      return true;
    bool elementwise = user->getNumResults() == 1 &&
                       user->getResult(0).getType() != value.getType()
                           ? isa<arith::ExtFOp, arith::TruncFOp>(user)
                           : user->hasTrait<OpTrait::Elementwise>();
    return elementwise && user->getNumResults() == 1 && meetsBlocks(user->getResult(0));
  });
}

/// Whole 32x32 tiles at tile boundaries.
bool servedByTiles(const View &view) {
  unsigned rank = view.map.getNumResults();
  if (view.lanes() == 1)
    return rank == 1 && meetsBlocks(view.value) &&
           alignedLane(view, view.map.getResult(0), kTileSide);
  if (view.lanes() != 2 || rank < 2)
    return false;
  for (unsigned dim = 0; dim + 2 < rank; ++dim)
    if (!usesNoLane(view, view.map.getResult(dim)))
      return false;
  auto row = alignedLane(view, view.map.getResult(rank - 2), kTileSide);
  auto column = alignedLane(view, view.map.getResult(rank - 1), kTileSide);
  return row && column && *row != *column;
}

/// Elements of a page when the lanes run along the last axis from page
/// boundaries; 0 when they do not.
int64_t servedByRows(const View &view) {
  unsigned rank = view.map.getNumResults();
  if (view.lanes() != 1 || rank < 1 || meetsBlocks(view.value))
    return 0;
  for (unsigned dim = 0; dim + 1 < rank; ++dim)
    if (!usesNoLane(view, view.map.getResult(dim)))
      return 0;
  int64_t elements = std::min<int64_t>(view.tile.getNumElements(), kTileElements);
  return alignedLane(view, view.map.getResults().back(), elements) ? elements : 0;
}

LogicalResult chooseLayout(tile::ArrayOp array) {
  SmallVector<View> views;
  for (Operation *user : array.getView().getUsers())
    if (isa<tile::LoadOp, tile::StoreOp>(user))
      views.push_back(viewOf(user));
  if (llvm::all_of(views, servedByTiles)) {
    array.setLayoutAttr(tile::TiledAttr::get(array.getContext()));
    return success();
  }
  int64_t elements = views.empty() ? 0 : servedByRows(views.front());
  auto bad = llvm::find_if(views, [&](const View &view) {
    return servedByRows(view) == 0 || servedByRows(view) != elements;
  });
  if (bad == views.end()) {
    array.setLayoutAttr(tile::RowsAttr::get(array.getContext(), elements));
    return success();
  }
  auto error = bad->op->emitOpError("reaches array `")
               << array.getName() << "` neither in whole 32x32 tiles at multiples of 32 nor in "
               << "whole runs along its last axis; make block offsets multiples of 32 in both "
               << "axes";
  error.attachNote(array.getLoc()) << "the layout of an array in device memory serves all its accesses";
  return error;
}

} // namespace

LogicalResult chooseLayouts(tile::ProgramOp program) {
  for (auto array : program.getBody().getOps<tile::ArrayOp>())
    if (!array.getLayoutAttr() && failed(chooseLayout(array)))
      return failure();
  return success();
}

} // namespace drawloom::plan
