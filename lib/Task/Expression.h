// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An element-wise computation on one tile, and the Dst tiles it takes.

#ifndef DRAWLOOM_LIB_TASK_EXPRESSION_H
#define DRAWLOOM_LIB_TASK_EXPRESSION_H

#include "drawloom/Task/Task.h"
#include "drawloom/Tile/Form.h"

namespace drawloom::task {

/// A value of the computation.
struct Node {
  enum Kind { Tile, Accumulator, Unary, Scalar, Binary } kind;
  std::string function; ///< of Unary, Scalar and Binary, as `task.sfpu` names it
  float scalar = 0;     ///< second operand of Scalar
  int lhs = -1, rhs = -1; ///< operands, earlier nodes
  tile::LoadOp load;    ///< of Tile
  std::optional<Broadcast> broadcast;
  bool transposed = false; ///< rows and columns of each hardware tile
  bool exchanged = false;  ///< rows and columns of tiles in the block
  unsigned uses = 0;
  mlir::Location loc;
};

/// A computation without cycles: operands stand before their users.
struct Expression {
  llvm::SmallVector<Node> nodes;
  int root = -1;

  bool usesAccumulator() const {
    return llvm::any_of(nodes, [](const Node &n) { return n.kind == Node::Accumulator; });
  }
};

/// The expression of `value`, in which `accumulator` (may be null) is a tile
/// that is in Dst already. Fails, with an error at the operation, on what
/// neither unit computes.
mlir::FailureOr<Expression> expressionOf(mlir::Value value, mlir::Value accumulator);

/// `value` without the casts between float types, which only change the format
/// it is held in.
mlir::Value withoutCasts(mlir::Value value);

/// One operation on Dst tiles. Tile kAccumulator is the accumulator; the
/// others, from 0, are temporaries.
struct Step {
  enum Kind { Copy, Fpu, Unary, Scalar, Binary, Move } kind;
  int node;     ///< whose value this makes (Move: which it copies)
  int into, lhs = -2, rhs = -2; ///< Dst tiles; `lhs`, `rhs` of Binary and Move
};
constexpr int kAccumulator = -1;

/// The steps that compute an expression. An expression that reads the
/// accumulator leaves its result there.
struct Steps {
  llvm::SmallVector<Step> steps;
  int temporaries = 0; ///< Dst tiles besides the accumulator
  int result = kAccumulator;
};

/// Orders an expression into steps. `inMatrixUnit` says whether a buffered
/// tile may be an operand of the matrix unit without losing digits.
Steps stepsOf(const Expression &expression,
              llvm::function_ref<bool(const Node &)> inMatrixUnit);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_EXPRESSION_H
