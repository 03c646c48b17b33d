// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one delivery of a load, or one store, moves: a block of hardware tiles.

#ifndef DRAWLOOM_LIB_TASK_BLOCK_H
#define DRAWLOOM_LIB_TASK_BLOCK_H

#include "Lanes.h"
#include "Schedule.h"

namespace drawloom::task {

/// One axis of a block of tiles, as it lies along a dimension of its array.
struct Axis {
  /// Dimension of the array; nothing when the tile repeats along this axis.
  std::optional<unsigned> dim;
  int64_t lanes = 1;    ///< of one load or store
  int64_t total = 1;    ///< lanes of the block: those of all merged iterations
  int64_t tileLanes = kTileSide; ///< lanes in one tile, which is one page
  mlir::AffineExpr base; ///< first element in the array
  /// As many lanes of the block exist as the smallest of these says; only
  /// those that can be fewer than `total`.
  llvm::SmallVector<mlir::AffineExpr> limits;
  /// Lanes of the reduction loop's own iterations, when its last chunk is not
  /// full; null otherwise. Nothing reads those beyond.
  mlir::AffineExpr trip;
  /// Whether the array's last tile stands in for those beyond it: where they
  /// reach no stored lane, or are filled after.
  bool clamped = false;
  int64_t lastTile = 0; ///< of the array
  int64_t pitch = 0;    ///< pages from a tile to the next
  /// First tile of a load's own part of the block, from the hoisted coordinates.
  mlir::AffineExpr offset;

  int64_t tiles() const { return llvm::divideCeil(lanes, tileLanes); }
  int64_t totalTiles() const { return llvm::divideCeil(total, tileLanes); }
};

/// A block of tiles in the slots of a buffer, row-major, and where its pages
/// are. Expressions are over the schedule's coordinates.
struct TileBlock {
  tile::ArrayOp array;
  mlir::Operation *access; ///< the load or store
  bool flat = false;     ///< lanes in memory order, no rows and columns
  Axis rows, columns;
  /// Whether tiles in memory have this block's columns as their rows.
  bool transposed = false;
  /// Hoisted coordinates that move whole tiles to other places, outermost first.
  llvm::SmallVector<unsigned> extras;
  int64_t extraTrips = 1;
  mlir::AffineExpr outerPage; ///< of the dimensions that are no lane axes
  /// Conditions (each `>= 0`) without which nothing of the block exists.
  llvm::SmallVector<mlir::AffineExpr> guards;
  /// The lanes, where they are moved one by one and nothing above is said.
  std::shared_ptr<LaneAccess> lanes;

  llvm::ArrayRef<int64_t> shape() const { return viewType().getShape(); }
  mlir::Type element() const { return viewType().getElementType(); }
  mlir::MemRefType viewType() const {
    return llvm::cast<mlir::MemRefType>(tile::ArrayOp(array).getView().getType());
  }
  /// Whether pages are shorter than a tile, whose rest nothing stores.
  bool hasShortPages() const { return flat && columns.tileLanes < kTileElements; }
  int64_t tiles() const {
    return lanes ? lanes->form.tiles() : extraTrips * rows.totalTiles() * columns.totalTiles();
  }
  bool isPartial() const { return !guards.empty() || !rows.limits.empty() || !columns.limits.empty(); }
  /// Whether anything about the block depends on a coordinate.
  bool dependsOn(unsigned coordinate) const;
};

/// Where tile `slot` of a block is: all of them over the coordinates and one
/// more dimension, the slot.
struct TilePlace {
  mlir::AffineExpr row, column; ///< tile position in the block
  mlir::AffineExpr page;        ///< without the tiles of clamped axes
};
/// The tile of the array behind tile `tile` of an axis.
mlir::AffineExpr tileOf(const Axis &axis, mlir::AffineExpr tile);
TilePlace placeOf(const Schedule &schedule, const TileBlock &block);

/// The slot of tile (row, column) of a load's own part, given as expressions.
mlir::AffineExpr slotOf(const Schedule &schedule, const TileBlock &block, mlir::AffineExpr row,
                        mlir::AffineExpr column);

/// The block of an access, issued inside the coordinates below `level`, for
/// all iterations of the rest. With `exchange` the tile's axes are exchanged
/// in the buffer. Fails, with an error that says what to do.
mlir::FailureOr<TileBlock> blockOf(const Schedule &schedule, tile::LoadOp load, unsigned level,
                               bool exchange);
mlir::FailureOr<TileBlock> blockOf(const Schedule &schedule, tile::StoreOp store);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BLOCK_H
