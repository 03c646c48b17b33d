// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a kernel in program order and fills in what its values are.
#ifndef DRAWLOOM_LIB_IMPORT_TRITON_EVALUATOR_H
#define DRAWLOOM_LIB_IMPORT_TRITON_EVALUATOR_H

#include "Evaluate.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/DenseSet.h"

namespace drawloom::tt {

class Evaluator {
public:
  /// `quiet`: nothing is reported.
  Evaluator(Kernel &kernel, bool quiet) : kernel(kernel), quiet(quiet) {}
  mlir::LogicalResult run();

private:
  void set(mlir::Value value, IndexValue index);
  void setPrograms();
  void bindArguments();
  IndexValue hostDescriptor(mlir::BlockArgument argument);
  mlir::LogicalResult runFrom(mlir::Block *block);
  mlir::LogicalResult follow(mlir::Operation *terminator);
  mlir::LogicalResult fork(mlir::cf::CondBranchOp branch,
                           const Condition *condition);
  void hold(mlir::Block *block, const Condition *here, const Condition *before);
  mlir::LogicalResult evaluate(mlir::Block &block);
  mlir::LogicalResult evaluate(mlir::Operation *op);
  mlir::LogicalResult branch(mlir::scf::IfOp op);
  mlir::LogicalResult varyingBranch(mlir::scf::IfOp op,
                                    const Condition *condition);
  IndexValue chosen(mlir::Value result, const Condition *condition,
                    const IndexValue &a, const IndexValue &b);
  mlir::LogicalResult loop(mlir::scf::ForOp op);
  MaybeIndex tripsOf(mlir::scf::ForOp op);
  void setAlternatives(mlir::scf::ForOp op, LoopFacts &facts);
  Column iteration() const;
  mlir::LogicalResult solveCarried(mlir::scf::ForOp op);
  MaybeIndex guess(mlir::scf::ForOp op, unsigned i);
  mlir::LogicalResult evaluateGuessed(mlir::scf::ForOp op,
                                      llvm::ArrayRef<MaybeIndex> starts,
                                      llvm::DenseSet<unsigned> &numbers);
  mlir::LogicalResult evaluateQuietly(mlir::Block &block);
  void conclude(mlir::scf::ForOp op, unsigned i, const IndexExpr &start);
  MaybeIndex offsetOf(mlir::Value value) const;
  void setOffset(mlir::Value value, mlir::Value like, const IndexExpr &offset);
  void setNumber(mlir::scf::ForOp op, unsigned i);
  void unknownResults(mlir::Operation *op, const llvm::Twine &why);
  mlir::LogicalResult fail(mlir::Location loc, const llvm::Twine &message,
                           mlir::Value cause = {});

  Kernel &kernel;
  /// While solving for what a loop carries, nothing is reported.
  unsigned solving = 0;
  bool quiet;
};

} // namespace drawloom::tt

#endif // DRAWLOOM_LIB_IMPORT_TRITON_EVALUATOR_H
