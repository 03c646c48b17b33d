// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planning problem: what a logical tile program asks of a machine.

#ifndef DRAWLOOM_PLAN_PROBLEM_H
#define DRAWLOOM_PLAN_PROBLEM_H

#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace drawloom::plan {

/// A sequential loop of the grid's body.
struct Loop {
  mlir::scf::ForOp op;
  int64_t trip;                ///< iterations
  std::optional<int> enclosing; ///< index of the loop around it
};

/// A load or store and what its tile depends on (section 2.3 of TileLoom).
struct Access {
  mlir::Operation *op; ///< tile.load or tile.store
  std::string array;   ///< the array's name
  bool isStore;
  int64_t tiles;     ///< hardware tiles of one iteration
  int64_t tileBytes; ///< bytes of one hardware tile
  llvm::SmallVector<bool> onGrid; ///< per grid dimension
  llvm::SmallVector<int> loops;   ///< enclosing loops, outermost first
  llvm::SmallVector<bool> onLoop; ///< per entry of `loops`
};

/// A kind of computation and how many hardware tiles of it one iteration of
/// its innermost loop takes.
struct Work {
  enum Kind { Product, Function, Fpu } kind;
  std::string function; ///< for Function, as MachineModel::sfpuCycles has it
  Format lhs, rhs;      ///< of the operands of a Product
  int64_t tiles;        ///< results; a Product counts 32x32x32 products
  int64_t outTiles;     ///< tiles of the result
  llvm::SmallVector<int> loops; ///< enclosing loops, outermost first
};

struct Problem {
  tile::ProgramOp program;
  tile::GridOp grid;
  llvm::SmallVector<int64_t> extents;
  std::vector<Loop> loops;
  std::vector<Access> accesses; ///< in program order
  std::vector<Work> works;
  bool dst32;   ///< Dst must hold 32-bit values
  double flops; ///< 2 for each multiplication whose operands and result exist

  int64_t iterations(llvm::ArrayRef<int> nest) const;
};

/// Reads the problem off a logical program. Refuses, at the place, programs
/// with several grids and loops whose bounds are not constants.
mlir::FailureOr<Problem> readProblem(tile::ProgramOp program);

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_PROBLEM_H
