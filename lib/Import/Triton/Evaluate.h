// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every integer, mask and pointer of a kernel is, over one launch.

#ifndef DRAWLOOM_IMPORT_TRITON_EVALUATE_H
#define DRAWLOOM_IMPORT_TRITON_EVALUATE_H

#include "IndexExpr.h"
#include "drawloom/Import/Launch.h"
#include "drawloom/Import/Triton/Triton.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace drawloom::tt {

/// A loop, its iterations counted from zero.
struct LoopFacts {
  unsigned number;
  IndexExpr trips;
};

/// The kernel seen as index arithmetic. Filled once, then read.
class Kernel {
public:
  Kernel(FuncOp function, const Launch &launch,
         llvm::ArrayRef<unsigned> argumentPositions)
      : function(function), launch(launch),
        argumentPositions(argumentPositions),
        unreached(Unknown{"a value this launch does not compute",
                          function.getLoc()}) {}

  /// Evaluates the kernel. Fails, with an error, on control flow that depends
  /// on more than the launch.
  mlir::LogicalResult evaluate();

  const IndexValue &at(mlir::Value value) const {
    auto found = values.find(value);
    return found == values.end() ? unreached : found->second;
  }
  template <typename T> const T *as(mlir::Value value) const {
    return std::get_if<T>(&at(value));
  }
  /// Whether it is data: anything but an index, a mask or a pointer.
  bool isData(mlir::Value value) const { return as<Unknown>(value); }

  /// Blocks of the function this launch runs, in order.
  llvm::ArrayRef<mlir::Block *> blocks() const { return taken; }
  /// The region an `scf.if` takes; null when it takes none.
  mlir::Region *branchOf(mlir::scf::IfOp op) const {
    return branches.lookup(op);
  }
  const LoopFacts &factsOf(mlir::scf::ForOp op) const {
    return loops.find(op)->second;
  }
  const LoopExtents &loopExtents() const { return extents; }
  /// Every scalar that differs between programs: what launch order is read
  /// from.
  llvm::ArrayRef<Column> programScalars() const { return scalars; }

  /// Visits the operations this launch runs, in order, into loops and taken
  /// branches; a loop or branch comes before its body.
  void
  forEachOperation(llvm::function_ref<void(mlir::Operation *)> visit) const;

  mutable FuncOp function;
  const Launch &launch;
  /// Position in `launch.arguments` of each argument of the function.
  llvm::SmallVector<unsigned> argumentPositions;

private:
  friend class Evaluator;
  llvm::DenseMap<mlir::Value, IndexValue> values;
  llvm::DenseMap<mlir::Operation *, LoopFacts> loops;
  llvm::DenseMap<mlir::Operation *, mlir::Region *> branches;
  llvm::SmallVector<mlir::Block *> taken;
  LoopExtents extents;
  std::vector<Column> scalars;
  IndexValue unreached;
};

/// Shape of a value: a scalar has none.
llvm::ArrayRef<int64_t> laneShape(mlir::Type type);

/// Evaluates one operation without regions on already evaluated operands; the
/// value of its one result.
IndexValue evaluateOperation(const Kernel &kernel, mlir::Operation *op);

/// The condition's value in each program, when it depends on nothing else.
std::optional<Column> columnOf(const Condition &condition);

/// Sets apart terms that always hold; one that never holds becomes -1 >= 0.
Condition simplify(const Condition &condition, const LoopExtents &loops);
/// Whether a simplified condition never holds.
bool isNever(const Condition &condition);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_EVALUATE_H
