// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of tiles that hold no value: what combines lanes finds in them what
// changes nothing.

#ifndef DRAWLOOM_LIB_TASK_BODY_EMPTYLANES_H
#define DRAWLOOM_LIB_TASK_BODY_EMPTYLANES_H

#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace drawloom::task {

/// Whether a reduction is by one operation that the units have.
bool hasIdentity(mlir::linalg::ReduceOp reduce);

/// A reduction that hasIdentity starts from it, and takes a sum or a maximum.
void settle(mlir::linalg::ReduceOp reduce);
/// Products find zeros there.
void settle(mlir::linalg::LinalgOp product);
/// Scans multiply with zero there, which leaves no number of what is none.
void settle(tile::ScanOp scan);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_EMPTYLANES_H
