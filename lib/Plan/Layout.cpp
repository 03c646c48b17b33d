// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses how each array lies in device memory.

#include "drawloom/Plan/Apply.h"

#include "SimpleForm.h"
#include "drawloom/Tile/Form.h"
#include "drawloom/Tile/WholeTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom::plan {
namespace {

/// Elements of a page when all accesses of an array walk the same runs; 0 when
/// they do not.
int64_t commonRun(tile::ArrayOp array) {
  int64_t elements = 0;
  for (Operation *user : array.getView().getUsers()) {
    int64_t run = runOf(user);
    if (run == 0 || (elements && run != elements))
      return 0;
    elements = run;
  }
  return elements;
}

/// The most lanes in memory order that an access of the array has.
int64_t lanesInOrder(tile::ArrayOp array) {
  int64_t lanes = 1;
  for (Operation *user : array.getView().getUsers()) {
    Value tile;
    if (auto load = dyn_cast<tile::LoadOp>(user))
      tile = load.getTile();
    else if (auto store = dyn_cast<tile::StoreOp>(user))
      tile = store.getTile();
    auto type = tile ? dyn_cast<RankedTensorType>(tile.getType()) : RankedTensorType();
    if (type && type.getRank() == 1)
      lanes = std::max(lanes, type.getDimSize(0));
  }
  return lanes;
}

/// A row of the array in as few pages as hold it; a tile of lanes that reaches
/// past a short row is still one page.
int64_t pageOf(tile::ArrayOp array) {
  ArrayRef<int64_t> shape = cast<MemRefType>(array.getView().getType()).getShape();
  int64_t last = std::max(shape.empty() ? 1 : shape.back(), lanesInOrder(array));
  return std::clamp<int64_t>(llvm::alignTo(last, kTileSide), kTileSide, kTileElements);
}

/// Whether all tiles of an array are vectors that lie as in memory: in the same
/// order and, as integers of other widths do not, in the same bits.
bool isFlat(tile::ArrayOp array) {
  Type element = cast<MemRefType>(array.getView().getType()).getElementType();
  if (!isa<FloatType>(element) && !element.isInteger(32))
    return false;
  return llvm::all_of(array.getView().getUsers(), [](Operation *user) {
    auto load = dyn_cast<tile::LoadOp>(user);
    auto store = dyn_cast<tile::StoreOp>(user);
    Value tile = load ? load.getTile() : store ? bare(store.getTile()) : Value();
    bool looksUp = (load && load.getLookup()) || (store && store.getLookup());
    if (!tile || looksUp || cast<RankedTensorType>(tile.getType()).getRank() != 1)
      return false;
    return Forms(user->getParentOfType<tile::GridOp>()).of(tile).kind == Form::Flat;
  });
}

Attribute layoutOf(tile::ArrayOp array, bool isSimple) {
  MLIRContext *context = array.getContext();
  if (isSimple || isFlat(array))
    if (int64_t elements = commonRun(array))
      return tile::RowsAttr::get(context, elements);
  if (tile::movesWholeTiles(array))
    return tile::TiledAttr::get(context);
  return tile::RowsAttr::get(context, pageOf(array));
}

} // namespace

void chooseLayouts(tile::ProgramOp program) {
  auto grids = program.getBody().getOps<tile::GridOp>();
  bool simple = llvm::all_of(grids, [](tile::GridOp grid) { return isSimple(grid); });
  for (auto array : program.getBody().getOps<tile::ArrayOp>())
    if (!array.getLayoutAttr())
      array.setLayoutAttr(layoutOf(array, simple));
}

} // namespace drawloom::plan
