// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a program while it runs: the caller's memory, and what the
// program wrote over it.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_ARRAYS_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_ARRAYS_H

#include "Approx.h"
#include "TileValue.h"
#include "drawloom/Sim/Interpreter/Interpret.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <memory>

namespace drawloom {

/// A grid point among all points of all grids of a run, counted from 1.
using Visit = uint32_t;

/// The elements of one launch argument that a program writes, in fp64. Arrays
/// over the same argument share it. Each element remembers its last writer.
class WrittenArgument {
public:
  /// Covers elements [low, high) from the argument's base.
  WrittenArgument(int64_t low, int64_t high)
      : low(low), value(high - low), error(high - low), writer(high - low) {}

  /// What memory holds before the program.
  void fill(int64_t element, double original) {
    value[element - low] = original;
  }

  /// Starts a grid whose first point is `first`. `alsoRead`: the grid reads
  /// the argument as well; its points then run on one thread.
  void startGrid(Visit first, bool alsoRead);

  /// Both are false when another point of the same grid is in conflict: it
  /// wrote the element, or read what this one writes.
  bool write(int64_t element, Approx x, Visit visit);
  bool read(int64_t element, Approx &x, Visit visit);

  Approx get(int64_t element) const {
    return {value[element - low], error[element - low]};
  }
  bool isWritten(int64_t element) const { return writer[element - low] != 0; }

private:
  bool isOtherPoint(Visit last, Visit visit) const {
    return last >= gridStart && last != visit;
  }

  /// A reader's mark for more than one point of the grid.
  static constexpr Visit kSeveral = ~Visit(0);
  int64_t low;
  std::vector<double> value, error;
  std::vector<Visit> writer, reader;
  Visit gridStart = 1;
};

/// One `tile.array` and what lies behind it.
struct ProgramArray {
  tile::ArrayOp op;
  mlir::MemRefType type;
  const std::byte *base;
  WrittenArgument *written; ///< null when the program only reads the argument
};

/// All arrays of a program.
class Arrays {
public:
  /// Refuses element types that memory cannot hold.
  static mlir::FailureOr<Arrays> create(tile::ProgramOp program,
                                        llvm::ArrayRef<ArrayMemory> memory);

  ProgramArray &operator[](mlir::Value view) {
    return arrays[index.lookup(view)];
  }

  /// Starts a grid; returns whether its points must run on one thread.
  bool startGrid(tile::GridOp grid, Visit first);

  std::vector<Reference> references() const;

private:
  void addWritten(int64_t argument);

  std::vector<ProgramArray> arrays;
  llvm::DenseMap<mlir::Value, unsigned> index;
  std::map<int64_t, std::unique_ptr<WrittenArgument>> written;
};

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_ARRAYS_H
