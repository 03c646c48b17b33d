// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pages and lanes of a block exist, asked by data movers.

#ifndef DRAWLOOM_LIB_TASK_PAGES_H
#define DRAWLOOM_LIB_TASK_PAGES_H

#include "Block.h"
#include "Emitter.h"

namespace drawloom::task {

class Pages {
public:
  Pages(Emitter &emitter, const Schedule &schedule, const TileBlock &block)
      : e(emitter), s(schedule), block(block), place(placeOf(schedule, block)) {}

  mlir::Value page(mlir::Value slot);
  /// Whether any lane of the tile exists; null when it always does.
  mlir::Value exists(mlir::Value slot);
  /// Whether some lane of the tile does not exist; null when all always do.
  /// Tiles of iterations past the last count only if the tile `isSent` on.
  mlir::Value isEdge(mlir::Value slot, bool isSent = false);
  /// Whether some lane of the block does not exist.
  mlir::Value hasEdge();
  /// Lanes that exist: [rows, columns], or [elements] of a flat block; may be
  /// negative, or more than a tile has.
  llvm::SmallVector<mlir::Value> keep(mlir::Value slot);
  /// The bytes of a page that hold its elements, or the first so many of them:
  /// operands of a read or write. Empty when they fill a tile.
  llvm::SmallVector<mlir::Value> part();
  llvm::SmallVector<mlir::Value> part(mlir::Value elements);

private:
  void addTrips(mlir::Value slot, llvm::SmallVectorImpl<mlir::Value> &conditions);
  mlir::Value any(llvm::ArrayRef<mlir::Value> conditions);
  mlir::Value beyondLimits(mlir::Value slot, bool wholeBlock);
  mlir::Value lanesLeft(const Axis &axis, mlir::AffineExpr tile, mlir::Value slot);

  Emitter &e;
  const Schedule &s;
  const TileBlock &block;
  TilePlace place;
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_PAGES_H
