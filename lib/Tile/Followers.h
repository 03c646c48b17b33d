// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What differs between the programs along one dimension of a grid.

#ifndef DRAWLOOM_LIB_TILE_FOLLOWERS_H
#define DRAWLOOM_LIB_TILE_FOLLOWERS_H

#include "drawloom/Tile/Tile.h"
#include "llvm/ADT/DenseSet.h"

namespace drawloom::tile {

/// Programs that share a tile once folded: its rows.
inline constexpr int64_t kRows = 32;

/// The values that differ between the programs along `dim`. Folding gives each
/// tile among them a leading axis.
class Followers {
public:
  /// Nothing where folding `dim` would change the program, or give an access
  /// that `tile.load` and `tile.store` cannot express.
  static std::optional<Followers> find(GridOp grid, unsigned dim);

  bool contains(mlir::Value value) const { return values.contains(value); }
  void insert(mlir::Value value) { values.insert(value); }
  /// Whether neighbouring programs touch neighbouring elements of an axis.
  bool stepsByOne() const { return unitSteps; }
  /// Whether rows are whole tiles that are computed lane by lane, so that
  /// folding gains nothing.
  bool fillTiles() const { return wholeTiles; }

  unsigned dim;
  mlir::BlockArgument index;

private:
  Followers(GridOp grid, unsigned dim) : dim(dim), index(grid.getIndex(dim)) {}
  void spread(GridOp grid);
  bool spreadOnce(mlir::Operation *op);
  bool admits(mlir::Operation *op);
  template <typename Access> bool admitsAccess(Access access, mlir::Value tile);
  bool admitsRead(ReadOp read);
  bool admitsLanes(mlir::Operation *op);

  llvm::DenseSet<mlir::Value> values;
  bool unitSteps = true, wholeTiles = true;
};

/// The dimensions of an access after folding: the indices `at`, the value
/// looked up if there is one, the row, then the lanes there were.
struct FoldedDims {
  /// `needsIndex`: the grid's index is among the indices whatever the maps use.
  FoldedDims(mlir::ValueRange at, mlir::Value lookup, unsigned lanes,
             const Followers &followers, bool needsIndex);

  mlir::AffineExpr operator()(mlir::AffineExpr expr) const;
  /// Whether the expression differs between rows.
  bool differs(mlir::AffineExpr expr) const {
    return expr.isFunctionOfDim(row) ||
           (read && expr.isFunctionOfDim(at.size()));
  }
  /// The number of the program along the folded dimension.
  mlir::AffineExpr program() const;

  llvm::SmallVector<mlir::Value> at;
  /// The integer read from memory that becomes a lookup; null when there is
  /// none.
  mlir::Value read;
  /// Whether more than one integer would have to be looked up, or an index that
  /// is computed.
  bool beyond = false;
  unsigned row, total;

private:
  mlir::MLIRContext *context;
  unsigned index = 0;
  llvm::SmallVector<mlir::AffineExpr> replacements;
};

} // namespace drawloom::tile

#endif // DRAWLOOM_LIB_TILE_FOLLOWERS_H
