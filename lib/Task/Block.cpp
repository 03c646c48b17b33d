// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an affine access to the pages and lanes of its block.

#include "Block.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

/// Builds one block; each step refuses what it cannot express.
class BlockBuilder {
public:
  BlockBuilder(const Schedule &schedule, Operation *access, unsigned level)
      : s(schedule), op(access), level(level) {}

  LogicalResult build(Value array, ValueRange at, AffineMap map, std::optional<IntegerSet> bounds,
                      RankedTensorType tile);
  void exchange();
  TileBlock block;

private:
  LogicalResult findAxes(AffineMap map, RankedTensorType tile);
  LogicalResult addBounds(IntegerSet bounds);
  LogicalResult addArrayLimits();
  LogicalResult mergeLoops();
  LogicalResult merge(Axis &axis);
  LogicalResult layOut();
  void addTripLimit(Axis &axis);
  void finish(Axis &axis);
  std::optional<unsigned> laneOf(AffineExpr expr, int64_t &sign) const;
  AffineExpr withoutLanes(AffineExpr expr) const;
  /// Lane axis `lane` of the tile: the columns are the last.
  Axis &axis(unsigned lane) { return lane + 1 == lanes ? block.columns : block.rows; }

  const Schedule &s;
  Operation *op;
  unsigned level;
  unsigned lanes = 0;
  SmallVector<AffineExpr> dims; ///< of the access's maps
  SmallVector<AffineExpr> subscripts;
};

} // namespace

static std::string text(AffineExpr expr) {
  std::string result;
  llvm::raw_string_ostream(result) << expr;
  return result;
}

AffineExpr BlockBuilder::withoutLanes(AffineExpr expr) const {
  for (unsigned lane = 0; lane < lanes; ++lane)
    expr = expr.replace(getAffineDimExpr(s.size() + lane, s.context()),
                        getAffineConstantExpr(0, s.context()));
  return s.simplify(expr);
}

/// The lane axis that `expr` moves with, by `sign` elements a lane; `lanes`
/// when it moves with none.
std::optional<unsigned> BlockBuilder::laneOf(AffineExpr expr, int64_t &sign) const {
  AffineExpr part = simplifyAffineExpr(expr - withoutLanes(expr), s.size() + lanes, 0);
  sign = 0;
  if (auto constant = dyn_cast<AffineConstantExpr>(part))
    return constant.getValue() == 0 ? std::optional<unsigned>(lanes) : std::nullopt;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (int64_t candidate : {1, -1})
      if (part == simplifyAffineExpr(getAffineDimExpr(s.size() + lane, s.context()) * candidate,
                                     s.size() + lanes, 0)) {
        sign = candidate;
        return lane;
      }
  return std::nullopt;
}

LogicalResult BlockBuilder::findAxes(AffineMap map, RankedTensorType tile) {
  for (unsigned lane = 0; lane < lanes; ++lane)
    axis(lane).lanes = axis(lane).total = tile.getDimSize(lane);
  for (auto [dim, result] : llvm::enumerate(map.getResults())) {
    AffineExpr expr = simplifyAffineExpr(result.replaceDims(dims), s.size() + lanes, 0);
    int64_t sign;
    auto lane = laneOf(expr, sign);
    if (!lane || sign < 0)
      return op->emitError("moves along dimension ")
             << dim << " of its array other than one element a lane: load whole rows and columns";
    subscripts.push_back(withoutLanes(expr));
    if (*lane == lanes)
      continue;
    if (axis(*lane).dim)
      return op->emitError("moves along two dimensions of its array with one lane axis: a diagonal "
                           "is no block of tiles");
    axis(*lane).dim = dim;
    axis(*lane).base = subscripts.back();
    if (s.rangeOf(axis(*lane).base).low < 0)
      return op->emitError("starts before its array: shift the access so that it starts inside");
  }
  return success();
}

LogicalResult BlockBuilder::addBounds(IntegerSet bounds) {
  for (AffineExpr constraint : bounds.getConstraints()) {
    AffineExpr expr = constraint.replaceDims(dims);
    int64_t sign;
    auto lane = laneOf(expr, sign);
    if (!lane)
      return op->emitError("has a bound with lanes at another step than one: bound the lanes "
                           "themselves");
    AffineExpr rest = withoutLanes(expr);
    if (*lane == lanes)
      block.guards.push_back(rest);
    else if (sign < 0)
      axis(*lane).limits.push_back(rest + 1);
    else if (s.rangeOf(rest).low < 0)
      return op->emitError("has lanes missing at the start of a tile: only lanes at its end may "
                           "be out of bounds; start the access where the data starts");
  }
  return success();
}

/// Idle points reach beyond the array, whatever the bounds say.
LogicalResult BlockBuilder::addArrayLimits() {
  ArrayRef<int64_t> shape = block.shape();
  for (auto [dim, subscript] : llvm::enumerate(subscripts)) {
    if (block.rows.dim == dim || block.columns.dim == dim) {
      Axis &along = block.rows.dim == dim ? block.rows : block.columns;
      along.limits.push_back(shape[dim] - subscript);
      continue;
    }
    if (s.rangeOf(subscript).low < 0)
      return op->emitError("starts before its array: shift the access so that it starts inside");
    block.guards.push_back(shape[dim] - 1 - subscript);
  }
  return success();
}

/// Iterations that only fill the last chunk up do not exist.
void BlockBuilder::addTripLimit(Axis &axis) {
  if (s.chunks() * s.chunk() == s.trips() || level > s.innerCoordinate() || !axis.dim)
    return;
  if (s.factorOf(axis.base, s.innerCoordinate()).value_or(0) == 0)
    return;
  AffineExpr chunk = level > s.chunkCoordinate() ? s.coordinate(s.chunkCoordinate())
                                                 : getAffineConstantExpr(0, s.context());
  // In the block's lanes, so it must not move with the loop any more.
  AffineExpr moved = s.simplify(axis.base - s.atZero(axis.base, level));
  axis.trip = s.simplify((s.trips() - chunk * s.chunk()) * axis.lanes - moved);
  axis.clamped = true;
}

LogicalResult BlockBuilder::merge(Axis &axis) {
  axis.offset = getAffineConstantExpr(0, s.context());
  if (!axis.dim)
    return success();
  addTripLimit(axis);
  SmallVector<std::pair<int64_t, unsigned>> steps;
  for (unsigned c = level; c < s.size(); ++c) {
    auto factor = s.factorOf(axis.base, c);
    if (!factor)
      return op->emitError("moves unevenly with a loop it is delivered across: hoist it less");
    if (*factor && s.extent(c) > 1)
      steps.push_back({*factor, c});
  }
  llvm::sort(steps);
  for (auto [factor, c] : steps) {
    if (factor != axis.total)
      return op->emitError("is delivered across iterations that overlap or leave gaps (a step of ")
             << factor << " elements, " << axis.total << " of them already there): hoist it less";
    axis.total *= s.extent(c);
    axis.offset = axis.offset + s.coordinate(c) * (factor / axis.tileLanes);
  }
  // A limit counts lanes from the base; take it where the hoisted loops start.
  AffineExpr start = s.atZero(axis.base, level);
  if (axis.trip)
    axis.trip = s.simplify(axis.trip + axis.base - start);
  for (AffineExpr &limit : axis.limits) {
    limit = s.simplify(limit + axis.base - start);
    for (unsigned c = level; c < s.size(); ++c)
      if (limit.isFunctionOfDim(c))
        return op->emitError("has bounds that change along a loop it is delivered across: hoist "
                             "it less");
  }
  axis.base = start;
  return success();
}

LogicalResult BlockBuilder::mergeLoops() {
  if (failed(merge(block.rows)) || failed(merge(block.columns)))
    return failure();
  for (unsigned c = level; c < s.size(); ++c) {
    bool moves = false;
    for (auto [dim, subscript] : llvm::enumerate(subscripts))
      if (block.rows.dim != dim && block.columns.dim != dim)
        moves |= subscript.isFunctionOfDim(c);
    if (!moves || s.extent(c) == 1)
      continue;
    if (s.chunks() * s.chunk() != s.trips() && c >= s.chunkCoordinate())
      return op->emitError("is taken in chunks that do not divide its loop's ")
             << s.trips() << " iterations: choose a `tile.chunk` that does";
    block.extras.push_back(c);
    block.extraTrips *= s.extent(c);
  }
  for (AffineExpr &guard : block.guards) {
    guard = s.simplify(guard);
    for (unsigned c = level; c < s.size(); ++c)
      if (guard.isFunctionOfDim(c) && !(s.rangeOf(guard).low >= 0))
        return op->emitError("exists only in some iterations of a loop it is delivered across: "
                             "hoist it less");
  }
  return success();
}

/// Keeps the limits that can bite, each once.
void BlockBuilder::finish(Axis &axis) {
  if (axis.dim && axis.total % axis.tileLanes != 0)
    axis.limits.push_back(getAffineConstantExpr(axis.total, s.context()));
  SmallVector<AffineExpr> kept;
  for (AffineExpr limit : axis.limits)
    if (s.rangeOf(limit).low < axis.totalTiles() * axis.tileLanes && !llvm::is_contained(kept, limit))
      kept.push_back(limit);
  axis.limits = kept;
}

LogicalResult BlockBuilder::layOut() {
  ArrayRef<int64_t> shape = block.shape();
  auto rowsLayout = dyn_cast_or_null<tile::RowsAttr>(block.array.getLayoutAttr());
  if (!block.array.getLayoutAttr())
    return block.array.emitError("has no layout: say #tile.tiled or #tile.rows<1024>");
  unsigned rank = shape.size();
  if (rowsLayout) {
    if (lanes != 1 || block.columns.dim != rank - 1)
      return op->emitError("takes a tile of rows and columns from an array stored row by row: lay "
                           "it out as #tile.tiled");
    block.flat = true;
    if (rowsLayout.getElements() > kTileElements)
      return block.array.emitError("has pages of ")
             << rowsLayout.getElements() << " elements: a page is at most a hardware tile, "
             << kTileElements;
  }
  for (Axis *axis : {&block.rows, &block.columns}) {
    if (axis->dim && rank >= 2 && *axis->dim + 2 < rank)
      return op->emitError("has lanes along dimension ")
             << *axis->dim << " of its array, but tiles hold the last two";
    if (axis->dim && axis->base.getLargestKnownDivisor() % axis->tileLanes != 0)
      return op->emitError("starts inside a tile (at ")
             << text(axis->base) << "): start at multiples of " << axis->tileLanes;
    if (axis->dim && axis->lanes % axis->tileLanes != 0 && axis->lanes != axis->total)
      return op->emitError("has blocks of ")
             << axis->lanes << " lanes, no multiple of " << axis->tileLanes
             << ", and takes several a delivery: use larger blocks";
  }
  for (unsigned dim = rank - std::min(rank, block.flat ? 1u : 2u); dim < rank; ++dim)
    if (block.rows.dim != dim && block.columns.dim != dim &&
        subscripts[dim].getLargestKnownDivisor() % kTileSide != 0)
      return op->emitError("takes one line of dimension ")
             << dim << " (at " << text(subscripts[dim]) << "), which tiles hold " << kTileSide
             << " of: make it a lane axis";
  return success();
}

static void addPages(const Schedule &s, TileBlock &block, ArrayRef<AffineExpr> subscripts) {
  ArrayRef<int64_t> shape = block.shape();
  unsigned rank = shape.size();
  AffineExpr page = getAffineConstantExpr(0, s.context());
  int64_t pitch = 1;
  for (unsigned dim = rank; dim-- > 0;) {
    bool inTile = block.flat ? dim + 1 == rank : dim + 2 >= rank;
    int64_t side = !inTile ? 1 : block.flat ? block.columns.tileLanes : kTileSide;
    int64_t tiles = llvm::divideCeil(shape[dim], side);
    bool isLane = false;
    for (Axis *axis : {&block.rows, &block.columns}) {
      if (axis->dim != dim)
        continue;
      axis->pitch = pitch;
      axis->lastTile = tiles - 1;
      isLane = true;
    }
    if (!isLane)
      page = page + subscripts[dim].floorDiv(side) * pitch;
    pitch *= tiles;
  }
  block.outerPage = s.simplify(page);
}

AffineExpr drawloom::task::tileOf(const Axis &axis, AffineExpr tile) {
  return axis.dim ? axis.base.floorDiv(axis.tileLanes) + tile : tile;
}

LogicalResult BlockBuilder::build(Value array, ValueRange at, AffineMap map,
                                  std::optional<IntegerSet> bounds, RankedTensorType tile) {
  block.array = array.getDefiningOp<tile::ArrayOp>();
  block.access = op;
  lanes = tile.getRank();
  if (lanes < 1 || lanes > 2)
    return op->emitError("moves a tile of ") << lanes << " lane axes: tiles have one or two";
  block.rows.tileLanes = kTileSide;
  for (Value index : at) {
    auto expr = s.express(index, op);
    if (failed(expr))
      return failure();
    dims.push_back(*expr);
  }
  for (unsigned lane = 0; lane < lanes; ++lane)
    dims.push_back(getAffineDimExpr(s.size() + lane, s.context()));
  if (failed(findAxes(map, tile)) || (bounds && failed(addBounds(*bounds))) ||
      failed(addArrayLimits()))
    return failure();
  if (auto pages = dyn_cast_or_null<tile::RowsAttr>(block.array.getLayoutAttr()))
    block.columns.tileLanes = pages.getElements();
  if (failed(mergeLoops()) || failed(layOut()))
    return failure();
  for (Axis *axis : {&block.rows, &block.columns})
    finish(*axis);
  llvm::erase_if(block.guards, [&](AffineExpr guard) { return s.rangeOf(guard).low >= 0; });
  addPages(s, block, subscripts);
  unsigned rank = map.getNumResults();
  block.transposed = !block.flat && (block.rows.dim == rank - 1 || (rank > 1 && block.columns.dim == rank - 2));
  return success();
}

void BlockBuilder::exchange() {
  std::swap(block.rows, block.columns);
  block.transposed = !block.transposed;
}

bool TileBlock::dependsOn(unsigned coordinate) const {
  if (lanes)
    return lanes->dependsOn(coordinate);
  auto depends = [&](AffineExpr expr) { return expr.isFunctionOfDim(coordinate); };
  bool moves = (rows.dim && depends(rows.base)) || (columns.dim && depends(columns.base));
  return moves || depends(outerPage) || llvm::any_of(guards, depends) ||
         llvm::any_of(rows.limits, depends) || llvm::any_of(columns.limits, depends);
}

TilePlace drawloom::task::placeOf(const Schedule &s, const TileBlock &block) {
  if (block.lanes)
    return {}; // no tile of the block is a page
  AffineExpr slot = getAffineDimExpr(s.size(), s.context());
  int64_t columns = block.columns.totalTiles(), rows = block.rows.totalTiles();
  TilePlace place;
  place.column = rows == 1 && block.extraTrips == 1 ? slot : slot % columns;
  place.row = slot.floorDiv(columns);
  if (block.extraTrips > 1)
    place.row = place.row % rows;
  AffineExpr extra = slot.floorDiv(columns * rows);
  AffineExpr page = block.outerPage;
  for (unsigned c : llvm::reverse(block.extras)) {
    page = page.replace(getAffineDimExpr(c, s.context()), extra % s.extent(c));
    extra = extra.floorDiv(s.extent(c));
  }
  if (rows == 1)
    place.row = getAffineConstantExpr(0, s.context());
  for (auto [axis, tile] : {std::pair(&block.rows, place.row), std::pair(&block.columns, place.column)})
    if (!axis->clamped)
      page = page + tileOf(*axis, tile) * axis->pitch;
  place.page = s.simplify(page);
  return place;
}

AffineExpr drawloom::task::slotOf(const Schedule &s, const TileBlock &block, AffineExpr row,
                                  AffineExpr column) {
  AffineExpr extra = getAffineConstantExpr(0, s.context());
  for (unsigned c : block.extras)
    extra = extra * s.extent(c) + s.coordinate(c);
  AffineExpr slot = extra * block.rows.totalTiles() + block.rows.offset + row;
  return slot * block.columns.totalTiles() + block.columns.offset + column;
}

/// Lanes that are looked up lie apart, in no block.
template <typename Op>
static LogicalResult checkLookup(Op access) {
  if (!access.getLookup())
    return success();
  return access.emitError("looks lanes up, which no block of its array holds: lay the array out as #tile.rows");
}

FailureOr<TileBlock> drawloom::task::blockOf(const Schedule &schedule, tile::LoadOp load,
                                         unsigned level, bool exchange) {
  if (failed(checkLookup(load)))
    return failure();
  BlockBuilder builder(schedule, load, level);
  if (failed(builder.build(load.getArray(), load.getAt(), load.getAccess(), load.getBounds(),
                           cast<RankedTensorType>(load.getTile().getType()))))
    return failure();
  if (exchange)
    builder.exchange();
  return builder.block;
}

/// Pages are written whole, so lanes may be missing only where the array ends.
static LogicalResult checkStore(const Schedule &s, const TileBlock &block, tile::StoreOp store) {
  if (block.flat)
    return success();
  ArrayRef<int64_t> shape = block.shape();
  for (const Axis *axis : {&block.rows, &block.columns})
    for (AffineExpr limit : axis->limits)
      if (s.rangeOf(s.simplify(limit - (shape[*axis->dim] - axis->base))).low < 0 &&
          limit.getLargestKnownDivisor() % kTileSide != 0)
        return store.emitError("writes part of a tile inside its array: bound the store by the "
                               "array's end or by a multiple of ")
               << kTileSide << ", or lay the array out as #tile.rows";
  if (block.transposed)
    return store.emitError("writes a transposed tile: transpose the array instead");
  return success();
}

FailureOr<TileBlock> drawloom::task::blockOf(const Schedule &schedule, tile::StoreOp store) {
  if (failed(checkLookup(store)))
    return failure();
  BlockBuilder builder(schedule, store, schedule.size());
  if (failed(builder.build(store.getArray(), store.getAt(), store.getAccess(), store.getBounds(),
                           cast<RankedTensorType>(store.getTile().getType()))))
    return failure();
  auto type = cast<RankedTensorType>(store.getTile().getType());
  if (!builder.block.rows.dim && !builder.block.flat && type.getRank() == 2 && type.getDimSize(0) > 1)
    return store.emitError("writes one place from several lanes");
  if (failed(checkStore(schedule, builder.block, store)))
    return failure();
  return builder.block;
}
