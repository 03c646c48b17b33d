// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds a dimension of a grid whose programs each work on one row, so that the
// rows of 32 programs fill a tile.

#include "Followers.h"
#include "Simplify.h"
#include "drawloom/Tile/TilePasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom::tile;

namespace drawloom::tile {
#define GEN_PASS_DEF_FOLD
#include "drawloom/Tile/TilePasses.h.inc"
} // namespace drawloom::tile

namespace {

/// Rewrites a grid in place, once it is known that it may be.
class Folder {
public:
  Folder(GridOp grid, Followers followers)
      : builder(grid.getContext()), grid(grid), followers(followers),
        extent(grid.getExtents()[followers.dim]) {}

  void run();

private:
  void rewrite(Block &block);
  void rewrite(Operation *op);
  void rewriteLoad(LoadOp load);
  void rewriteStore(StoreOp store);
  void rewriteRead(ReadOp read);
  void rewriteIndex(IndexOp index);
  void rewriteMask(MaskOp mask);
  void rewriteLoop(scf::ForOp loop);
  void rewriteBranch(scf::IfOp branch);
  void rewriteReduce(linalg::ReduceOp reduce);
  void rewriteBroadcast(linalg::BroadcastOp broadcast);
  void rewriteTranspose(linalg::TransposeOp transpose);
  void rewriteScan(ScanOp scan);
  template <typename Op> void rewriteReshape(Op reshape);
  void rewriteLanes(Operation *op);

  /// The value with a row for each program.
  Value wide(Value value);
  void widenOperands(Operation *op);
  void widen(Value value) { value.setType(wideType(value.getType())); }
  RankedTensorType wideType(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape = {kRows};
    llvm::append_range(shape, tensor.getShape());
    return RankedTensorType::get(shape, tensor.getElementType());
  }
  Value empty(RankedTensorType type, Location loc) {
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  }
  bool isRagged() const { return extent % kRows != 0; }
  /// The bounds of a folded access: those there were, and the last row.
  IntegerSetAttr boundsOf(std::optional<IntegerSet> bounds,
                          const FoldedDims &dims, bool endsAtLastRow);
  AffineMapAttr mapOf(AffineMap map, const FoldedDims &dims);
  template <typename Access> void assign(Access access, const FoldedDims &dims);

  OpBuilder builder;
  GridOp grid;
  Followers followers;
  int64_t extent;
  /// For each integer a program reads, the tile of those that 32 read.
  llvm::DenseMap<Value, Value> tables;
};

} // namespace

//===-- Values --------------------------------------------------------------//

Value Folder::wide(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || followers.contains(value))
    return value;
  Location loc = value.getLoc();
  RankedTensorType to = wideType(type);
  DenseElementsAttr literal;
  if (matchPattern(value, m_Constant(&literal)) && literal.isSplat())
    return arith::ConstantOp::create(builder, loc, literal.resizeSplat(to));
  return linalg::BroadcastOp::create(builder, loc, value, empty(to, loc),
                                     ArrayRef<int64_t>{0})
      ->getResult(0);
}

void Folder::widenOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(wide(operand.get()));
}

static SmallVector<int64_t> shifted(ArrayRef<int64_t> axes) {
  return llvm::map_to_vector(axes, [](int64_t axis) { return axis + 1; });
}

//===-- Accesses ------------------------------------------------------------//

IntegerSetAttr Folder::boundsOf(std::optional<IntegerSet> bounds,
                                const FoldedDims &dims, bool endsAtLastRow) {
  SmallVector<AffineExpr> constraints;
  if (bounds)
    for (AffineExpr constraint : bounds->getConstraints())
      constraints.push_back(dims(constraint));
  if (endsAtLastRow && isRagged())
    constraints.push_back(
        simplifyAffineExpr(extent - 1 - dims.program(), dims.total, 0));
  if (constraints.empty())
    return {};
  return IntegerSetAttr::get(
      IntegerSet::get(dims.total, 0, constraints,
                      SmallVector<bool>(constraints.size(), false)));
}

AffineMapAttr Folder::mapOf(AffineMap map, const FoldedDims &dims) {
  return AffineMapAttr::get(
      AffineMap::get(dims.total, 0, llvm::map_to_vector(map.getResults(), dims),
                     builder.getContext()));
}

/// The lane axes of an access that is not folded yet.
template <typename Access> static unsigned lanesOf(Access access) {
  return access.getAccess().getNumDims() - access.getAt().size() -
         bool(access.getLookup());
}

/// The access takes its new indices, and looks up what its program read.
template <typename Access>
void Folder::assign(Access access, const FoldedDims &dims) {
  access.getAtMutable().assign(dims.at);
  if (dims.read) {
    access.getLookupMutable().assign(tables.lookup(dims.read));
    access.setAxis(0);
  } else if (access.getLookup()) {
    access.setAxis(*access.getAxis() + 1);
  }
}

/// The integers that 32 programs read, as a tile to look up. A row beyond the
/// last looks nothing up.
void Folder::rewriteRead(ReadOp read) {
  FoldedDims dims(read.getAt(), {}, 0, followers, isRagged());
  auto element = builder.getI32Type();
  IntegerSetAttr bounds = boundsOf({}, dims, true);
  tables[read] = LoadOp::create(
      builder, read.getLoc(), RankedTensorType::get({kRows}, element),
      read.getArray(), dims.at, mapOf(read.getAccess(), dims), bounds,
      bounds ? TypedAttr(builder.getI32IntegerAttr(0)) : TypedAttr());
}

void Folder::rewriteLoad(LoadOp load) {
  FoldedDims dims(load.getAt(), load.getLookup(), lanesOf(load), followers,
                  isRagged());
  load.setAccessAttr(mapOf(load.getAccess(), dims));
  IntegerSetAttr bounds = boundsOf(load.getBounds(), dims, true);
  if (bounds)
    load.setBoundsAttr(bounds);
  Type element = getElementTypeOrSelf(load.getTile().getType());
  if (bounds && !load.getPadAttr())
    load.setPadAttr(cast<TypedAttr>(builder.getZeroAttr(element)));
  assign(load, dims);
  widen(load.getTile());
}

void Folder::rewriteStore(StoreOp store) {
  FoldedDims dims(store.getAt(), store.getLookup(), lanesOf(store), followers,
                  isRagged());
  store.getTileMutable().set(wide(store.getTile()));
  store.setAccessAttr(mapOf(store.getAccess(), dims));
  if (IntegerSetAttr bounds = boundsOf(store.getBounds(), dims, true))
    store.setBoundsAttr(bounds);
  assign(store, dims);
}

void Folder::rewriteIndex(IndexOp index) {
  unsigned lanes = index.getMap().getNumDims() - index.getAt().size();
  FoldedDims dims(index.getAt(), {}, lanes, followers, /*needsIndex=*/false);
  index.setMapAttr(mapOf(index.getMap(), dims));
  index.getAtMutable().assign(dims.at);
  widen(index.getTile());
}

void Folder::rewriteMask(MaskOp mask) {
  unsigned lanes = mask.getBounds().getNumDims() - mask.getAt().size();
  FoldedDims dims(mask.getAt(), {}, lanes, followers, /*needsIndex=*/false);
  mask.getTileMutable().set(wide(mask.getTile()));
  mask.setBoundsAttr(boundsOf(mask.getBounds(), dims, false));
  mask.getAtMutable().assign(dims.at);
  widen(mask.getResult());
}

//===-- Control -------------------------------------------------------------//

void Folder::rewriteLoop(scf::ForOp loop) {
  for (auto [init, argument, result] :
       llvm::zip_equal(loop.getInitArgsMutable(), loop.getRegionIterArgs(),
                       loop.getResults()))
    if (followers.contains(argument)) {
      init.set(wide(init.get()));
      widen(argument);
      widen(result);
    }
  rewrite(*loop.getBody());
  Operation *yield = loop.getBody()->getTerminator();
  builder.setInsertionPoint(yield);
  for (auto [next, argument] :
       llvm::zip_equal(yield->getOpOperands(), loop.getRegionIterArgs()))
    if (followers.contains(argument))
      next.set(wide(next.get()));
}

void Folder::rewriteBranch(scf::IfOp branch) {
  for (Region *region : branch.getRegions()) {
    if (region->empty())
      continue;
    rewrite(region->front());
    Operation *yield = region->front().getTerminator();
    builder.setInsertionPoint(yield);
    for (auto [next, result] :
         llvm::zip_equal(yield->getOpOperands(), branch.getResults()))
      if (followers.contains(result))
        next.set(wide(next.get()));
  }
  for (Value result : branch.getResults())
    if (followers.contains(result))
      widen(result);
}

//===-- Computation ---------------------------------------------------------//

void Folder::rewriteReduce(linalg::ReduceOp reduce) {
  widenOperands(reduce);
  reduce.setDimensions(shifted(reduce.getDimensions()));
  for (Value result : reduce->getResults())
    widen(result);
}

void Folder::rewriteScan(ScanOp scan) {
  widenOperands(scan);
  scan.setAxis(scan.getAxis() + 1);
  for (Value result : scan->getResults())
    widen(result);
}

void Folder::rewriteBroadcast(linalg::BroadcastOp broadcast) {
  RankedTensorType to = wideType(broadcast->getResult(0).getType());
  broadcast.getInitMutable().set(empty(to, broadcast.getLoc()));
  broadcast.setDimensions(shifted(broadcast.getDimensions()));
  widen(broadcast->getResult(0));
}

void Folder::rewriteTranspose(linalg::TransposeOp transpose) {
  RankedTensorType to = wideType(transpose->getResult(0).getType());
  transpose.getInitMutable().set(empty(to, transpose.getLoc()));
  SmallVector<int64_t> order = {0};
  llvm::append_range(order, shifted(transpose.getPermutation()));
  transpose.setPermutation(order);
  widen(transpose->getResult(0));
}

template <typename Op> void Folder::rewriteReshape(Op reshape) {
  RankedTensorType to = wideType(reshape.getType());
  // The row is a group of its own, or the only one where there was no axis.
  SmallVector<ReassociationIndices> groups = {{0}};
  for (const ReassociationIndices &group : reshape.getReassociationIndices())
    groups.push_back(ReassociationIndices(shifted(group)));
  int64_t axes = std::max(to.getRank(), reshape.getSrcType().getRank());
  for (int64_t axis = 1; groups.size() == 1 && axis < axes; ++axis)
    groups[0].push_back(axis);
  Value folded =
      Op::create(builder, reshape.getLoc(), to, reshape.getSrc(), groups);
  reshape.getResult().replaceAllUsesWith(folded);
  followers.insert(folded);
  reshape.erase();
}

void Folder::rewriteLanes(Operation *op) {
  widenOperands(op);
  for (Value result : op->getResults())
    widen(result);
}

//===-- All operations ------------------------------------------------------//

void Folder::rewrite(Operation *op) {
  builder.setInsertionPoint(op);
  if (auto store = dyn_cast<StoreOp>(op))
    return rewriteStore(store);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return rewriteLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return rewriteBranch(branch);
  if (op->getNumResults() == 0 || !followers.contains(op->getResult(0)))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](LoadOp load) { rewriteLoad(load); })
      .Case([&](ReadOp read) { rewriteRead(read); })
      .Case([&](MaskOp mask) { rewriteMask(mask); })
      .Case([&](IndexOp index) { rewriteIndex(index); })
      .Case([&](ScanOp scan) { rewriteScan(scan); })
      .Case([&](linalg::ReduceOp reduce) { rewriteReduce(reduce); })
      .Case([&](linalg::BroadcastOp op) { rewriteBroadcast(op); })
      .Case([&](linalg::TransposeOp op) { rewriteTranspose(op); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto reshape) { rewriteReshape(reshape); })
      .Default([&](Operation *) { rewriteLanes(op); });
}

void Folder::rewrite(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    rewrite(&op);
}

void Folder::run() {
  rewrite(grid.getBody().front());
  for (auto [read, table] : tables)
    read.getDefiningOp()->erase();
  SmallVector<int64_t> extents(grid.getExtents());
  extents[followers.dim] = llvm::divideCeil(extent, kRows);
  grid.setExtents(extents);
}

//===-- The choice of a dimension -------------------------------------------//

/// The best dimension: neighbouring programs on neighbouring elements, then
/// full tiles, then the last.
static std::optional<Followers> choose(GridOp grid) {
  std::optional<Followers> best;
  std::pair<bool, int64_t> bestScore;
  for (int64_t dim = grid.getExtents().size() - 1; dim >= 0; --dim) {
    int64_t extent = grid.getExtents()[dim];
    if (extent < 2 || grid.isOrdered(dim))
      continue;
    auto found = Followers::find(grid, dim);
    if (!found || found->fillTiles())
      continue;
    std::pair score(found->stepsByOne(), std::min(extent, kRows));
    if (best && score <= bestScore)
      continue;
    best = found;
    bestScore = score;
  }
  return best;
}

bool drawloom::tile::fold(GridOp grid) {
  OpBuilder builder(grid);
  auto folded = cast<GridOp>(builder.clone(*grid));
  simplify(folded);
  auto followers = choose(folded);
  if (!followers) {
    folded.erase();
    return false;
  }
  Folder(folded, *followers).run();
  grid.erase();
  return true;
}

namespace {
struct Fold : drawloom::tile::impl::FoldBase<Fold> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<ProgramOp>())
      for (GridOp grid :
           llvm::make_early_inc_range(program.getBody().getOps<GridOp>()))
        fold(grid);
  }
};
} // namespace
