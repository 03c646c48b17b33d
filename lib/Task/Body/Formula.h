// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is computed of one tile between buffers, all of it in Dst.

#ifndef DRAWLOOM_LIB_TASK_BODY_FORMULA_H
#define DRAWLOOM_LIB_TASK_BODY_FORMULA_H

#include "../Schedule.h"
#include "drawloom/Tile/Form.h"

namespace drawloom::task {

/// One value of a formula.
struct Term {
  enum Kind {
    Tile,   ///< a tile of `value`'s buffer
    Head,   ///< the result of the operation that the formula starts from
    Fill,   ///< `scalar` in every lane
    Lanes,  ///< `lanes[0]` of every lane
    Mask,   ///< operand 0 where all of `lanes` are >= 0, else `scalar`
    Unary,  ///< `function` of operand 0
    Scalar, ///< `function` of operand 0 and `scalar`
    Binary, ///< `function` of operands 0 and 1
    Select  ///< operand 0 != 0 ? operand 1 : operand 2
  } kind;
  std::string function;
  double scalar = 0;
  bool integer = false; ///< lanes are 32-bit integers, not floats
  std::array<int, 3> operands{-1, -1, -1}; ///< earlier terms
  mlir::Value value;                       ///< what it computes
  std::optional<Broadcast> broadcast;      ///< of Tile
  /// Expressions over the schedule's coordinates, then the lane's row and
  /// column in the value, then the place among the axes before them.
  llvm::SmallVector<mlir::AffineExpr> lanes;
  unsigned uses = 0;
  mlir::Location loc;
  /// Of Tile: which tile along the axes before the last two, of a value that has
  /// fewer such axes. Dimension 0 is the place along the formula's.
  mlir::AffineExpr outer = {};
  /// Of Tile, where the formula's value is a slice: the first tile of it.
  int64_t firstRow = 0, firstColumn = 0;
};

struct Formula {
  llvm::SmallVector<Term> terms; ///< operands before their users
  int root = -1;
  mlir::Operation *head = nullptr;

  bool isAfterProduct() const;
};

/// What a formula may read.
struct FormulaContext {
  const Schedule &schedule;
  const Forms &forms;
  /// Whether a value is in a buffer where the formula is computed.
  llvm::function_ref<bool(mlir::Value)> isBuffered;
};

/// Operations whose result is gathered over several tiles: products,
/// reductions and transpositions.
bool isHead(mlir::Operation *op);

/// The formula of `value`. More than one head is an error of the caller, who
/// finds them in `heads`. Fails, with an error at the operation, on what neither
/// unit computes.
mlir::FailureOr<Formula> formulaOf(mlir::Value value, const FormulaContext &context,
                                   llvm::SmallVectorImpl<mlir::Operation *> &heads);

/// One operation on Dst tiles. Tile kHeadTile is the head's.
struct Action {
  enum Kind { Copy, Fpu, Fill, Lanes, Mask, Unary, Scalar, Binary, Select, Move } kind;
  int term;
  int into, a = -2, b = -2, c = -2; ///< Dst tiles: result and operands, or scratch
};
constexpr int kHeadTile = -1;

struct Actions {
  llvm::SmallVector<Action> list;
  int temporaries = 0; ///< Dst tiles besides the head's
  int result = kHeadTile;
};

/// Orders a formula. `inMatrixUnit` says whether the tiles of two terms may be
/// the first and the second operand of the matrix unit.
Actions actionsOf(const Formula &formula, llvm::function_ref<bool(const Term &, const Term &)> inMatrixUnit);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_FORMULA_H
