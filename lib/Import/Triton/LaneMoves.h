// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rebuilds the value of a tile program on other lanes.

#ifndef DRAWLOOM_IMPORT_TRITON_LANEMOVES_H
#define DRAWLOOM_IMPORT_TRITON_LANEMOVES_H

#include "Linear.h"
#include "drawloom/Tile/Tile.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace drawloom::tt {

/// Lanes of a new tile, and for each axis of an old tile the lane it takes
/// there: a linear form whose variables are the new lanes.
struct LaneMap {
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<Linear> old;

  /// The tile as it is.
  static LaneMap identity(llvm::ArrayRef<int64_t> shape);
};

/// Moves lanes by moving the loads they come from: `x[2 * c]` of a loaded tile
/// is a load of every second element. What a value is made of is followed
/// through element-wise operations, broadcasts, transposes and reshapes.
class LaneMoves {
public:
  explicit LaneMoves(mlir::OpBuilder &builder)
      : builder(builder), site(builder.getUnknownLoc()) {}

  /// Two tiles that became one with a last axis of 2.
  void addJoin(mlir::Value joined, mlir::Value first, mlir::Value second) {
    joins[joined] = {first, second};
  }
  /// Whether a join is among what makes the value.
  bool hasJoin(mlir::Value value) const;

  /// The value on the lanes of `map`; null where it is made by something that
  /// does not move and the lanes are no slice of it, or lanes would have to be
  /// divided. Each new operation stands directly after the one it stands for;
  /// slices are taken for `loc`.
  mlir::Value move(mlir::Value value, const LaneMap &map, mlir::Location loc) {
    site = loc;
    return move(value, map);
  }

  /// Stores the parts of a joined tile apart, where they move.
  void splitStore(tile::StoreOp store);

private:
  mlir::Value move(mlir::Value value, const LaneMap &map);
  bool splitStore(tile::StoreOp store, unsigned axis, bool interleaved);
  mlir::Value moveLoad(mlir::Operation *op, const LaneMap &map);
  mlir::Value moveIndex(mlir::Operation *op, const LaneMap &map);
  mlir::Value moveMask(mlir::Operation *op, const LaneMap &map);
  mlir::Value moveBroadcast(mlir::Operation *op, const LaneMap &map);
  mlir::Value moveLanes(mlir::Operation *op, const LaneMap &map);
  /// A part of a value's rows and columns; null where the lanes are others.
  mlir::Value slice(mlir::Value value, const LaneMap &map);
  mlir::Value rebuild(mlir::Operation *op, mlir::ValueRange operands,
                      const LaneMap &map);

  mlir::OpBuilder &builder;
  mlir::Location site;
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, mlir::Value>> joins;
};

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_LANEMOVES_H
