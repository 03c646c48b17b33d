// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a grid's body lie in L1, and which only ever in Dst.

#ifndef DRAWLOOM_LIB_PLAN_BUFFERED_H
#define DRAWLOOM_LIB_PLAN_BUFFERED_H

#include "drawloom/Plan/Problem.h"
#include "drawloom/Tile/Form.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace drawloom::plan {

/// `value` without casts between float types, and however its axes are made into
/// one or parted: for a price it is the same lanes. (drawloom::bare, for the
/// lowering, stops where lanes lie otherwise.)
mlir::Value bare(mlir::Value value);

/// The number in every lane of `value`, a float or an integer, if it is a
/// constant.
std::optional<double> splatOf(mlir::Value value);

/// Hardware tiles of a value. A vector lies in rows or columns of tiles, one
/// line of each in use; with `flat` in memory order.
int64_t tilesOf(mlir::RankedTensorType type, bool flat);

/// The format of L1 buffers of an element type: integers are widened to 32
/// bits, conditions are numbers.
std::optional<Format> bufferFormatOf(mlir::Type element);

/// A value is kept in a buffer when it is loaded, when a loop or branch hands
/// it on, when it is read other than lane by lane, and when more than one
/// operation takes it, or one in another block. All others are computed in Dst
/// where they are used.
class Buffered {
public:
  explicit Buffered(tile::GridOp grid);
  bool contains(mlir::Value value) const { return kept.contains(value); }
  /// How a value lies in tiles.
  Form formOf(mlir::Value value) const { return forms.of(value); }
  /// Whether the vector unit reads lanes that the operand registers would cut.
  bool needsAllBits(mlir::Value value) const {
    return (lanes.contains(value) || !matrix.contains(value)) && !fitsNarrow(value);
  }
  /// Whether the matrix unit takes the value rounded to 16 bits.
  bool isNarrowed(mlir::Value value) const { return narrowed.contains(value); }

private:
  void visit(mlir::Operation *op);
  void keep(mlir::Value value, bool byMatrixUnit = true);
  void use(mlir::Value value, mlir::Operation *user);

  /// `matrix` and `lanes`: what the matrix unit reads, and the vector unit.
  Forms forms;
  llvm::SmallPtrSet<mlir::Value, 32> kept, matrix, narrowed, lanes;
  llvm::DenseMap<mlir::Value, mlir::Operation *> userOf;
};

/// The buffers between operations, a loop's values twice. Those of loops and
/// branches that are never open together are shared.
std::vector<Resident> residentsOf(tile::GridOp grid, const Buffered &buffered);

} // namespace drawloom::plan

#endif // DRAWLOOM_LIB_PLAN_BUFFERED_H
