// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops every engine walks for one mapped grid, and indices over them.

#ifndef DRAWLOOM_LIB_TASK_SCHEDULE_H
#define DRAWLOOM_LIB_TASK_SCHEDULE_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace drawloom::task {

/// Smallest and largest value of an expression.
struct Interval {
  int64_t low, high;
};

/// The coordinates of a point of execution: the core's x and y, one per wave
/// loop, then two of the reduction loop, which is taken in chunks: the chunk
/// and the iteration within it. All of them count from 0. Grid indices and
/// loop variables are affine expressions over them.
class Schedule {
public:
  /// Fails, with an error, where the mapping or a loop cannot be walked.
  static mlir::FailureOr<Schedule> create(tile::GridOp grid, const MachineModel &model);
  /// The schedule of a body with any loops: each `scf.for` has a coordinate of
  /// its own, its iteration, after those above (the two of the reduction loop
  /// never move), and so has each index that is not affine in the others.
  static mlir::FailureOr<Schedule> createNest(tile::GridOp grid, const MachineModel &model);

  /// The coordinate of a loop's iterations, in the schedule of a nest.
  unsigned coordinateOf(mlir::scf::ForOp loop) const { return loopCoordinates.lookup(loop); }
  /// The coordinate that stands for an index value, if one does.
  std::optional<unsigned> opaque(mlir::Value index) const;
  /// Values that stand for themselves, with their coordinates.
  llvm::ArrayRef<std::pair<mlir::Value, unsigned>> opaques() const { return opaqueValues; }

  static constexpr unsigned kX = 0, kY = 1, kFirstLoop = 2;

  mlir::MLIRContext *context() const { return ctx; }
  tile::GridOp getGrid() const { return grid; }
  mlir::scf::ForOp getReduction() const { return reduction; }

  int64_t columns() const { return extents[kX]; }
  int64_t rows() const { return extents[kY]; }
  unsigned size() const { return extents.size(); }
  int64_t extent(unsigned coordinate) const { return extents[coordinate]; }
  unsigned waves() const { return waveCount; }
  unsigned chunkCoordinate() const { return kFirstLoop + waveCount; }
  unsigned innerCoordinate() const { return kFirstLoop + waveCount + 1; }
  /// Iterations of the reduction loop; 1 without one.
  int64_t trips() const { return tripCount; }
  /// Iterations per chunk.
  int64_t chunk() const { return extents[innerCoordinate()]; }
  int64_t chunks() const { return extents[chunkCoordinate()]; }

  /// Coordinate `index`, or 0 if it never moves.
  mlir::AffineExpr coordinate(unsigned index) const;
  /// An index value of the body over the coordinates; fails, with an error at
  /// `user`, when it is not affine.
  mlir::FailureOr<mlir::AffineExpr> express(mlir::Value index, mlir::Operation *user) const;
  /// The same, or nothing.
  std::optional<mlir::AffineExpr> find(mlir::Value index) const;
  /// The range of `expr` over all cores and loops, idle points included.
  Interval rangeOf(mlir::AffineExpr expr) const;
  /// `expr` with the coordinates from `first` on at 0.
  mlir::AffineExpr atZero(mlir::AffineExpr expr, unsigned first) const;
  /// The factor of `coordinate` in `expr`, if the rest does not depend on it.
  std::optional<int64_t> factorOf(mlir::AffineExpr expr, unsigned coordinate) const;
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;

  /// Conditions (each `>= 0`) under which a point lies within the grid; empty
  /// when the mapping has no idle points.
  llvm::ArrayRef<mlir::AffineExpr> active() const { return activeConditions; }

private:
  mlir::LogicalResult addDigits(const MachineModel &model);
  mlir::LogicalResult addReduction();
  void addNest();
  void addLoop(mlir::scf::ForOp loop);
  void addOpaque(mlir::Value index);

  mlir::MLIRContext *ctx = nullptr;
  tile::GridOp grid;
  mlir::scf::ForOp reduction;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<mlir::AffineExpr> gridIndices;
  llvm::SmallVector<mlir::AffineExpr> activeConditions;
  unsigned waveCount = 0;
  mlir::AffineExpr reductionIndex;
  int64_t tripCount = 1;
  llvm::DenseMap<mlir::Operation *, unsigned> loopCoordinates;
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> known; ///< loop variables of a nest
  llvm::SmallVector<std::pair<mlir::Value, unsigned>> opaqueValues;
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_SCHEDULE_H
