// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the operations of a grid's body ask of the compute engine.

#ifndef DRAWLOOM_LIB_PLAN_STAGES_H
#define DRAWLOOM_LIB_PLAN_STAGES_H

#include "Buffered.h"

namespace drawloom::plan {

/// Takes a body apart into stages, as the operations are met in order.
class StageReader {
public:
  StageReader(Problem &problem, const Buffered &buffered) : problem(problem), buffered(buffered) {}

  /// The stages that `op` ends inside `nest`: of its buffered results, of what
  /// it stores, yields or starts a loop with. Refuses, at the place, products
  /// of types that the matrix unit does not take.
  mlir::LogicalResult read(mlir::Operation &op, llvm::ArrayRef<int> nest);

private:
  /// The stage of `value`; of its definition where it is buffered itself.
  void add(mlir::Value value, bool isDefinition, std::optional<Format> target,
           llvm::ArrayRef<int> nest, llvm::StringRef name);
  void collect(mlir::Value value, bool isRoot, Stage &stage);
  void collectOperation(mlir::Operation *op, Stage &stage);
  void collectHead(mlir::Operation *op, Stage &stage);
  bool inMatrixUnit(mlir::Operation *op, llvm::StringRef function, Stage &stage) const;
  /// Whether a buffered value is unpacked straight to Dst, all 32 bits of it.
  bool isDirect(mlir::Value value) const;
  void copy(mlir::Value value, Stage &stage) const;
  void note(mlir::Operation &op);
  void noteWide(mlir::Operation &op);
  mlir::LogicalResult countProduct(mlir::Operation &op, llvm::ArrayRef<int> nest);
  bool isKept(mlir::Value value) const;
  int64_t tilesIn(mlir::Value value) const;
  Format formatOf(mlir::Value value) const;

  Problem &problem;
  const Buffered &buffered;
  llvm::SmallPtrSet<mlir::Value, 16> seen; ///< computed in the stage at hand
};

} // namespace drawloom::plan

#endif // DRAWLOOM_LIB_PLAN_STAGES_H
