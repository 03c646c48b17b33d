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

  /// `task.dst { body }`.
  void inDst(llvm::function_ref<void()> body);
  void setUp(Setup kind, mlir::Value buffer, BroadcastAttr broadcast = {});
  /// Computes the formula's tile; where it is then: in `result`, if there is
  /// one, which must not be the head.
  DstTile run(const Formula &formula, const Actions &actions, TileAt at, DstTile head,
              std::optional<DstTile> result);
  void moveTo(DstTile to, DstTile from);

  mlir::Value slotIn(const Form &form, TileAt at);
  mlir::Value slotIn(const Home &home, TileAt at);
  /// A product's operand.
  const Home &operand(mlir::Value value);

private:
  void setUpVector(llvm::StringRef function);
  void copy(const Term &term, DstTile into, TileAt at);
  void matrixUnit(const Formula &formula, const Term &term, DstTile into, TileAt at);
  void fill(const Term &term, DstTile into);
  void lanes(const Term &term, DstTile into, DstTile scratch, TileAt at);
  void mask(const Term &term, DstTile into, DstTile first, DstTile second, TileAt at);
  /// Leaves in `into` 1 where the lane expression is >= 0, else 0; `scratch` is
  /// overwritten where it takes two axes.
  void inside(mlir::AffineExpr lane, DstTile into, DstTile scratch, TileAt at);
  void number(mlir::Value buffer, DstTile into);
  void vector(llvm::StringRef function, DstTile of, std::optional<double> scalar = {},
              mlir::Value number = {});
  void vectorBinary(llvm::StringRef function, DstTile lhs, DstTile rhs, DstTile into);
  /// `expr` at the tile's first lane; and its factors for a lane's row, column.
  struct LaneForm {
    mlir::AffineExpr base;
    int64_t row, column;
  };
  LaneForm laneForm(mlir::AffineExpr expr) const;

  const Body &body;
  const Schedule &s;
  Emitter &e;
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_EVALUATE_H
