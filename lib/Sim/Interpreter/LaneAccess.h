// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the lanes of one access: which exist and where their elements lie.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_LANEACCESS_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_LANEACCESS_H

#include "TileValue.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace drawloom {

/// A sum of constant and coefficient * lane.
struct LinearForm {
  int64_t constant = 0;
  llvm::SmallVector<int64_t> coefficient;
};

/// `expr` as a linear form over the lanes, the indices `at` being fixed;
/// nothing when a mod or division involves a lane.
std::optional<LinearForm>
linearOver(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> at, unsigned lanes);

/// Values looked up by an access: one for each lane of `axis`.
struct Lookup {
  const TileValue *values = nullptr; ///< null when nothing is looked up
  int axis = -1;
};

/// One access at fixed indices. A looked-up value stands between the indices
/// and the lanes in maps and bounds.
class LaneAccess {
public:
  LaneAccess(llvm::ArrayRef<int64_t> at, llvm::ArrayRef<int64_t> lanes,
             Lookup lookup = {})
      : at(at), lanes(lanes), lookup(lookup), exists(lanes.size()) {}

  /// Restricts the lanes to those that satisfy every constraint of `bounds`,
  /// each of which involves at most one lane axis.
  void restrict(mlir::IntegerSet bounds);

  /// Whether an existing lane looks up what nothing defines.
  bool looksUpUndefined() const;

  /// A subscript outside its axis, for a message.
  struct Outside {
    unsigned subscript;
    int64_t value;
  };

  /// Calls `run(lane, element, stride, count)` for each run of existing lanes:
  /// `lane` is the row-major number of the first, `element` its place in the
  /// array's memory in elements, `stride` the distance of their elements.
  /// Stops at the first subscript outside `array`.
  using RunFn = llvm::function_ref<void(int64_t, int64_t, int64_t, int64_t)>;
  std::optional<Outside> forEachRun(mlir::AffineMap access,
                                    mlir::MemRefType array, RunFn run) const;

private:
  bool isEmpty() const;
  /// The place of the first lane axis among the dimensions of maps.
  size_t firstLane() const { return at.size() + (lookup.values != nullptr); }
  void restrict(mlir::AffineExpr constraint,
                llvm::MutableArrayRef<int64_t> point);
  /// Whether the lanes at `row`, along the outer axes, exist.
  bool rowExists(llvm::ArrayRef<int64_t> row) const;
  /// Runs of one lane each, for subscripts that are not linear.
  std::optional<Outside> forEachLane(mlir::AffineMap access,
                                     mlir::MemRefType array, RunFn run) const;
  /// Runs along the last axis.
  void forEachRow(const LinearForm &place, RunFn run) const;
  std::optional<Outside> outside(const LinearForm &subscript, unsigned axis,
                                 int64_t size) const;

  llvm::ArrayRef<int64_t> at, lanes;
  Lookup lookup;
  /// Per lane axis, which lanes exist; empty when all do.
  llvm::SmallVector<std::vector<bool>, 4> exists;
  /// Whether the constraints on no lane axis hold, of a tile of rank 0.
  bool anyLane = true;
};

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_LANEACCESS_H
