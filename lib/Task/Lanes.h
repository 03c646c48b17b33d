// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that no whole tiles serve: lanes that data movers place one line
// after another.

#ifndef DRAWLOOM_LIB_TASK_LANES_H
#define DRAWLOOM_LIB_TASK_LANES_H

#include "drawloom/Tile/Form.h"
#include "Schedule.h"

namespace drawloom::task {

/// One load or store, lane by lane. Expressions are over the schedule's
/// coordinates, then a dimension for each lane axis, then the looked-up value.
struct LaneAccess {
  tile::ArrayOp array;
  mlir::Operation *op;
  Form form;
  llvm::SmallVector<int64_t> sizes;             ///< of the lane axes
  llvm::SmallVector<mlir::AffineExpr> subscripts; ///< by dimension of the array
  /// Lanes exist where all are >= 0: the source's bounds and the array's own.
  llvm::SmallVector<mlir::AffineExpr> constraints;
  /// The axis whose lanes lie `step` elements apart in the array's last
  /// dimension; nothing when each lane is moved alone.
  std::optional<unsigned> line;
  int64_t step = 1;
  /// The access that reads the looked-up values, and the axis they belong to.
  std::shared_ptr<LaneAccess> lookup;
  unsigned lookupAxis = 0;

  unsigned rank() const { return sizes.size(); }
  mlir::MemRefType view() const {
    return llvm::cast<mlir::MemRefType>(tile::ArrayOp(array).getView().getType());
  }
  mlir::Type element() const { return view().getElementType(); }
  int64_t elementBytes() const;
  int64_t pageElements() const;
  bool dependsOn(unsigned coordinate) const;
};

/// The lanes of an access whose array lies in rows. `form` says where they are
/// in tiles. Fails, with an error that says what to do.
mlir::FailureOr<LaneAccess> lanesOf(const Schedule &schedule, mlir::Operation *access, const Form &form);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_LANES_H
