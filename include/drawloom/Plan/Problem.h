// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planning problem: what a logical tile program asks of a machine.

#ifndef DRAWLOOM_PLAN_PROBLEM_H
#define DRAWLOOM_PLAN_PROBLEM_H

#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace drawloom::plan {

/// A level of the grid's body: a sequential loop, or one side of a branch,
/// which is a loop of at most one iteration.
struct Loop {
  mlir::Operation *op = nullptr; ///< scf.for or scf.if
  bool isElse = false;           ///< of an scf.if
  /// Iterations: a mean over the grid's points; of a branch, the share of the
  /// points that take it.
  double trip = 1;
  std::optional<int> enclosing; ///< index of the loop around it
  /// Whether every core runs it equally often, whatever is in memory.
  bool isUniform = true;
  bool isGuessed = false; ///< memory decides: `trip` is a guess
  /// Where points differ: the grid dimensions that decide, and the iterations
  /// at each of their indices, row-major.
  llvm::SmallVector<int> dims;
  std::vector<double> tripsAt;

  mlir::scf::ForOp loop() const { return llvm::dyn_cast<mlir::scf::ForOp>(op); }
};

/// Lanes of a load that are missing at the end of its tile, which the data mover
/// fills: always, at the last index of a grid dimension, or in the last
/// iteration of a loop.
struct Edge {
  int axis; ///< 0: rows, 1: columns
  std::optional<int> dim, loop;
  int64_t kept; ///< lanes that are there
};

constexpr int64_t kWordBytes = 4; ///< what a data mover loads or stores at once

/// A load or store and what its tile depends on (section 2.3 of TileLoom).
struct Access {
  mlir::Operation *op = nullptr; ///< tile.load or tile.store
  std::string array;             ///< the array's name
  bool isStore = false;
  int64_t tiles = 0;     ///< hardware tiles of one iteration
  int64_t tileBytes = 0; ///< bytes of one hardware tile
  llvm::SmallVector<bool> onGrid; ///< per grid dimension
  llvm::SmallVector<int> loops;   ///< enclosing loops, outermost first
  llvm::SmallVector<bool> onLoop; ///< per entry of `loops`
  /// Whether whole pages move; otherwise `lines` runs are read from memory or
  /// written to it, and their lanes copied: as `words` where they lie side by
  /// side there too, or else as `elements` one by one.
  bool wholeTiles = true;
  int64_t lines = 0, words = 0, elements = 0;
  bool isFlat = false; ///< tiles hold lanes in memory order

  /// Lanes of the tile along its rows and columns, and where some are missing.
  std::array<int64_t, 2> lanes = {1, 1};
  llvm::SmallVector<Edge> edges;

  /// What the lowering can do with a load.
  bool canHoist = true; ///< issue it outside of loops
  bool canGrow = true;  ///< bring the tiles of several iterations at once
  bool canShare = true; ///< multicast it: every core takes part equally often
  bool canPrefetch = true; ///< issue it before the iteration that uses it
};

/// One computation: for each tile of its result, from buffers in L1 through
/// Dst to buffers in L1.
struct Stage {
  std::string name;             ///< of the operation that ends it
  llvm::SmallVector<int> loops; ///< enclosing loops, outermost first
  int64_t tiles = 1;            ///< of the result

  /// What starts it: an operation that gathers several tiles.
  enum Head { None, Product, Reduction, Transposition } head = None;
  TileOp headOp = TileOp::Matmul;
  Format lhs = Format::BF16, rhs = Format::BF16; ///< of the head's operands
  int64_t inner = 1; ///< tiles of an operand that make one of the result

  /// Then, for each tile: operands copied to Dst, and additions and products of
  /// buffered tiles in the matrix unit; functions in the vector unit, as
  /// MachineModel::sfpuCycles has them.
  struct Step {
    TileOp op;
    Format lhs, rhs;
    friend bool operator==(const Step &, const Step &) = default;
  };
  llvm::SmallVector<Step> steps;
  llvm::SmallVector<std::string> functions;
  /// Where the result is packed to; none while a loop keeps it in Dst.
  llvm::SmallVector<Format> targets;
};

/// A buffer between operations of the compute engine.
struct Resident {
  std::string name;
  int64_t tiles, copies, tileBytes;
};

struct Problem {
  tile::ProgramOp program;
  tile::GridOp grid;
  /// One product in one reduction loop with an element-wise end, or only that.
  bool isSimple = true;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<bool> ordered; ///< per grid dimension: only over time
  std::vector<Loop> loops;
  std::vector<Access> accesses; ///< in program order
  std::vector<Stage> stages; ///< in program order
  std::vector<Resident> residents;
  bool dst32 = false; ///< Dst must hold 32-bit values
  bool exact = false; ///< the policy takes f32 operands of the matrix unit whole
  bool powersOfTwo = false; ///< exponentials were written so
  bool approximates = false; ///< some exponential is approximate
  /// A product or sum that takes such operands, if there is one.
  mlir::Operation *takesWide = nullptr;
  double flops = 0; ///< 2 for each multiplication whose operands and result exist

  /// Iterations of a nest, a mean over the grid's points.
  double iterations(llvm::ArrayRef<int> nest) const;
};

/// Reads the problem off a logical program. Refuses, at the place, programs
/// with several grids and types that memory or the matrix unit do not hold.
mlir::FailureOr<Problem> readProblem(tile::ProgramOp program);

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_PROBLEM_H
