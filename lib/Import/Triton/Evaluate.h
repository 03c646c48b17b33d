// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every integer, mask and pointer of a kernel is, over one launch.

#ifndef DRAWLOOM_IMPORT_TRITON_EVALUATE_H
#define DRAWLOOM_IMPORT_TRITON_EVALUATE_H

#include "IndexExpr.h"
#include "drawloom/Import/Launch.h"
#include "drawloom/Import/Triton/Triton.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace drawloom::tt {

/// A loop, its iterations counted from zero.
struct LoopFacts {
  unsigned number;
  /// How many there are, as one expression.
  IndexExpr trips;
  /// The least of these is `trips` (or none is positive and there are no
  /// iterations): what to say where `trips` is not affine on the grid.
  std::vector<IndexExpr> alternatives;
  /// In an iteration, `step` times its number is less than each of these.
  std::vector<IndexExpr> spans;
  int64_t step;
};

/// One program of the launch: its ids, and the iteration of the loop over tiles
/// it is taken for (0 when there is no such loop).
struct ProgramPoint {
  std::array<int64_t, 3> ids;
  int64_t iteration;
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

  /// What the launch gives an argument of the function.
  const LaunchArgument &given(unsigned argument) const {
    return launch.arguments[argumentPositions[argument]];
  }

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
  /// The conjunction that a mask is, and nothing more; null otherwise.
  const Condition *exactly(mlir::Value mask) const {
    auto *condition = as<Condition>(mask);
    return condition && !condition->partial ? condition : nullptr;
  }
  /// Whether it is data: anything but an index, a mask or a pointer.
  bool isData(mlir::Value value) const { return as<Unknown>(value); }

  /// Whether lanes differ by data though it is an index or mask, so that it may
  /// be asked for as a tile.
  bool isLaneData(mlir::Value value) const;

  /// Blocks of the function this launch runs, in order.
  llvm::ArrayRef<mlir::Block *> blocks() const { return taken; }
  /// Whether programs go different ways at the end of a block of the function.
  bool forks(mlir::Block *block) const { return forked.contains(block); }
  /// The block that follows one that does not fork; null at a return.
  mlir::Block *following(mlir::Block *block) const {
    return next.lookup(block);
  }
  /// Whether programs or iterations go different ways at an `scf.if`.
  bool varies(mlir::scf::IfOp op) const { return varying.contains(op); }
  /// The region an `scf.if` that does not vary takes; null when it takes none.
  mlir::Region *branchOf(mlir::scf::IfOp op) const {
    return branches.lookup(op);
  }
  /// What holds in a block that only some programs run; null when it is not
  /// known, or all run it.
  const Condition *holdsIn(mlir::Block *block) const {
    auto found = held.find(block);
    return found == held.end() ? nullptr : &found->second;
  }
  /// Whether only some programs or iterations run `op`.
  bool isConditional(mlir::Operation *op) const;
  bool hasFacts(mlir::scf::ForOp op) const { return loops.contains(op); }
  const LoopFacts &factsOf(mlir::scf::ForOp op) const {
    return loops.find(op)->second;
  }
  const LoopExtents &loopExtents() const { return extents; }
  /// Whether a loop's iterations have become programs of their own.
  bool isFlattened(mlir::scf::ForOp op) const { return op == flattened; }
  llvm::ArrayRef<ProgramPoint> programs() const { return points; }

  const std::vector<Symbol> &symbolTable() const { return symbols; }
  /// The integer a value of the kernel is, as a symbol: a scalar, or one along
  /// lane axis 0.
  IndexExpr symbolOf(mlir::Value value) const;
  /// Whether a scalar of the kernel is a symbol of its own.
  bool isSymbol(mlir::Value value) const;
  /// `inner` divided by (or modulo) a positive constant; nothing when it
  /// depends on several lane axes.
  MaybeIndex division(const IndexExpr &inner, int64_t divisor,
                      bool isRemainder) const;
  /// The same where programs and loops move in whole steps that divide the
  /// divisor, and the lanes stay within a step: then lanes are not divided.
  MaybeIndex evenDivision(const IndexExpr &inner, int64_t divisor,
                          bool isRemainder) const;
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
  /// Takes over what another evaluation of the kernel found.
  void adopt(Kernel &&other);
  llvm::DenseMap<mlir::Value, IndexValue> values;
  llvm::DenseMap<mlir::Operation *, LoopFacts> loops;
  llvm::DenseMap<mlir::Operation *, mlir::Region *> branches;
  llvm::DenseSet<mlir::Operation *> varying;
  llvm::SmallVector<mlir::Block *> taken;
  llvm::DenseMap<mlir::Block *, mlir::Block *> next;
  llvm::DenseSet<mlir::Block *> forked, conditional;
  llvm::DenseMap<mlir::Block *, Condition> held;
  LoopExtents extents;
  std::vector<Column> scalars;
  std::vector<ProgramPoint> points;
  mlir::scf::ForOp flattened;
  /// Grows while the kernel is evaluated: what a value is decides what it is
  /// made of.
  mutable std::vector<Symbol> symbols;
  IndexValue unreached;
};

/// Shape of a value: a scalar has none.
llvm::ArrayRef<int64_t> laneShape(mlir::Type type);

/// Whether a scalar integer operation can be computed where data is moved.
bool isIndexArithmetic(mlir::Operation *op);

/// The negation of a condition that is one comparison; nothing for others.
std::optional<Condition> negationOf(const Condition &condition);

/// Evaluates one operation without regions on already evaluated operands; the
/// value of its one result.
IndexValue evaluateOperation(const Kernel &kernel, mlir::Operation *op);

/// The condition's value in each program, when it depends on nothing else.
std::optional<Column> columnOf(const Condition &condition);

/// `a` in programs where `which` is 1 and `b` where it is 0, both of which only
/// differ between programs.
IndexExpr choose(const Column &which, const IndexExpr &a, const IndexExpr &b);

/// Sets apart terms that always hold; one that never holds becomes -1 >= 0.
Condition simplify(const Condition &condition, const LoopExtents &loops);
/// Whether a simplified condition never holds.
bool isNever(const Condition &condition);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_EVALUATE_H
