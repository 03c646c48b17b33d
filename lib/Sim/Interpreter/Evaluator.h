// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the body of a grid at one point after another.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_EVALUATOR_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_EVALUATOR_H

#include "Arrays.h"
#include "LaneAccess.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace drawloom {

/// Why a run stopped, and where. Kept until all threads are done, so that the
/// same program always gives the same diagnostic.
struct Stop {
  mlir::Operation *op = nullptr;
  std::string message;
  Visit visit = 0;
};

/// One thread's state: the values of the operations it has run.
class Evaluator {
public:
  Evaluator(Arrays &arrays, const Policy &policy)
      : arrays(arrays), policy(policy) {}

  /// Runs one operation outside grids (a constant).
  mlir::LogicalResult run(mlir::Operation *op);
  /// Runs the body of `grid` at `point`. Points with the same `owner` run in
  /// order and may see each other's stores.
  mlir::LogicalResult runPoint(tile::GridOp grid, llvm::ArrayRef<int64_t> point,
                               Visit visit, Visit owner);

  /// Set once a run has failed.
  const Stop &stop() const { return stopped; }

private:
  mlir::LogicalResult runBlock(mlir::Block &block);
  mlir::LogicalResult runLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult runBranch(mlir::scf::IfOp branch);
  std::vector<TileValue> compute(mlir::Operation *op);

  // EvaluateAccess.cpp
  mlir::LogicalResult load(tile::LoadOp op);
  mlir::LogicalResult store(tile::StoreOp op);
  mlir::LogicalResult read(tile::ReadOp op);
  void laneNumbers(tile::IndexOp op);
  void mask(tile::MaskOp op);
  template <typename Op> Lookup lookupOf(Op op) const;
  template <typename Op>
  mlir::LogicalResult checkLookup(Op op, const LaneAccess &access);

  mlir::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &message);
  mlir::LogicalResult outside(mlir::Operation *op, ProgramArray &array,
                              const LaneAccess::Outside &at);
  mlir::LogicalResult checkRead(mlir::Operation *op, ProgramArray &array,
                                const std::optional<LaneAccess::Outside> &out,
                                bool conflict);

  llvm::SmallVector<int64_t> integers(mlir::ValueRange values) const;
  void set(mlir::Value value, TileValue tile) {
    values[value] = std::make_shared<const TileValue>(std::move(tile));
  }

  Arrays &arrays;
  const Policy &policy;
  llvm::DenseMap<mlir::Value, TileRef> values;
  Visit visit = 0, owner = 0;
  Stop stopped;
};

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_EVALUATOR_H
