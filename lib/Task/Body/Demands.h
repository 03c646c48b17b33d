// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a body need a buffer, and which are computed where used.

#ifndef DRAWLOOM_LIB_TASK_BODY_DEMANDS_H
#define DRAWLOOM_LIB_TASK_BODY_DEMANDS_H

#include "Exact.h"
#include "Formula.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace drawloom::task {

/// The right operand's source, if the product's unpacker can transpose it.
mlir::Value productOperand(mlir::Operation *product, unsigned operand, bool &transposed);

/// The products that add up in one Dst tile, `last` the last: each but the first
/// starts from the one before it, which nothing else reads.
llvm::SmallVector<mlir::Operation *> chainOf(mlir::Operation *last);

class Demands {
public:
  Demands(tile::GridOp grid, const Schedule &schedule, const Forms &forms, ExactOps exact, int64_t dstTiles);

  /// Decides; fails, with an error at the operation, where a formula is
  /// nothing the units compute.
  mlir::LogicalResult settle();

  bool isBuffered(mlir::Value value) const { return buffered.contains(value); }
  /// Whether the matrix unit reads the value's tiles, in 32 bits if it has them.
  bool feedsMatrixUnit(mlir::Value value) const { return matrix.contains(value); }
  /// Whether the vector unit reads lanes that the operand registers would cut.
  bool needsAllBits(mlir::Value value) const;
  /// Whether a product takes the value rounded to 16 bits, though it has 32.
  bool isNarrowed(mlir::Value value) const { return narrowed.contains(value); }
  /// Whether only such products take it.
  bool isOnlyNarrowed(mlir::Value value) const {
    return narrowed.contains(value) && !wide.contains(value);
  }

  /// Whether the vector unit reduces: integers, whole tiles, and floats of which
  /// all digits are wanted.
  bool isReducedByVectorUnit(mlir::linalg::ReduceOp op) const;

  mlir::FailureOr<Formula> formulaOf(mlir::Value value, llvm::SmallVectorImpl<mlir::Operation *> &heads) const;
  /// The formula of a buffered value: of what makes it.
  mlir::FailureOr<Formula> definitionOf(mlir::Value value, llvm::SmallVectorImpl<mlir::Operation *> &heads) const;
  Actions actionsOf(const Formula &formula) const;

private:
  void visit(mlir::Operation *op);
  void visit(mlir::scf::ForOp loop);
  void visit(mlir::linalg::TransposeOp transpose);
  void visitProduct(mlir::Operation *op);
  void need(mlir::Value value, bool byMatrixUnit);
  void use(mlir::Value value, mlir::Operation *user);
  mlir::FailureOr<bool> check(mlir::Value value, bool isDefinition);
  bool spill(const Formula &formula);
  void unifyCarried();

  tile::GridOp grid;
  const Schedule &schedule;
  const Forms &forms;
  int64_t dstTiles;
  llvm::SmallPtrSet<mlir::Value, 32> buffered, matrix, narrowed, wide, lanes;
  llvm::DenseMap<mlir::Value, llvm::SmallPtrSet<mlir::Operation *, 4>> users;
  ExactOps exact;
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_DEMANDS_H
