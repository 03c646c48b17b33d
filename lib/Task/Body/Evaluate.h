// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a formula's operations for one tile.

#ifndef DRAWLOOM_LIB_TASK_BODY_EVALUATE_H
#define DRAWLOOM_LIB_TASK_BODY_EVALUATE_H

#include "../TileMath.h"
#include "Body.h"

namespace drawloom::task {

/// A tile's place in its value.
struct TileAt {
  mlir::Value outer, row, column;
};

class Evaluator {
public:
  Evaluator(const Body &body, Emitter &emitter) : body(body), s(*body.schedule), e(emitter) {}

  /// Whether the columns of the values at hand count lanes in memory order.
  void setFlat(bool isFlat) { flat = isFlat; }
  /// `task.dst { body }`.
  void inDst(llvm::function_ref<void()> body);
  void setUp(Setup kind, mlir::Value buffer, BroadcastAttr broadcast = {});
  /// Computes `count` tiles of the formula, operation by operation; in which
  /// range their results are then, tile i at index i: in `result`, if there is
  /// one, which must not be the head. `at` says where tile i is in its value.
  mlir::Value run(const Formula &formula, const Actions &actions, int64_t count,
                  llvm::function_ref<TileAt(mlir::Value)> at, mlir::Value head, mlir::Value result);
  /// The same for tile `index` of `range`, where its result goes; `fresh` when
  /// the range holds no head.
  void runInPlace(const Formula &formula, const Actions &actions, mlir::Value index, TileAt at,
                  mlir::Value range, bool fresh);

  mlir::Value slotIn(const Form &form, TileAt at);
  mlir::Value slotIn(const Home &home, TileAt at);
  void vector(llvm::StringRef function, DstTile of, std::optional<double> scalar = {},
              mlir::Value number = {});
  /// A tile as it stands.
  void copyTile(mlir::Value buffer, mlir::Value slot, DstTile into);
  /// The tile of a constant's buffer.
  void number(mlir::Value buffer, DstTile into);
  void vectorBinary(llvm::StringRef function, DstTile lhs, DstTile rhs, DstTile into);
  /// A product's operand.
  const Home &operand(mlir::Value value);

private:
  void perform(const Formula &formula, const Action &action, llvm::function_ref<DstTile(int)> tile, TileAt at);
  void setUpVector(llvm::StringRef function);
  TileAt placeOf(const Term &term, TileAt at);
  void copy(const Term &term, DstTile into, TileAt at);
  void arithmetic(llvm::StringRef function, mlir::Value lhs, mlir::Value lhsSlot, mlir::Value rhs,
                  mlir::Value rhsSlot, BroadcastAttr broadcast, DstTile into);
  void matrixUnit(const Formula &formula, const Term &term, DstTile into, TileAt at);
  void fill(const Term &term, DstTile into);
  void fillWith(mlir::Value index, DstTile into);
  void lanes(const Term &term, DstTile into, DstTile scratch, TileAt at);
  void mask(const Term &term, DstTile into, DstTile first, DstTile second, TileAt at);
  /// Leaves in `into` 1 where the lane expression is >= 0, else 0; `scratch` is
  /// overwritten where it takes two axes.
  void inside(mlir::AffineExpr lane, DstTile into, DstTile scratch, TileAt at);
  /// `expr` at the tile's first lane; and its factors for a lane's row, column.
  struct LaneForm {
    mlir::AffineExpr base;
    int64_t row, column;
  };
  LaneForm laneForm(mlir::AffineExpr expr) const;
  mlir::AffineExpr atTile(const LaneForm &form) const;
  /// Lanes of a tile along the column axis.
  int64_t columnLanes() const { return flat ? kTileElements : kTileSide; }
  mlir::Value columnNumbers() const { return flat ? body.laneMemory : body.laneColumns; }

  const Body &body;
  const Schedule &s;
  Emitter &e;
  bool flat = false; ///< the value at hand lies in memory order
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_EVALUATE_H
