// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes f32 operands of the matrix unit whole, in parts it multiplies exactly.

#ifndef DRAWLOOM_LIB_TASK_BODY_EXACT_H
#define DRAWLOOM_LIB_TASK_BODY_EXACT_H

#include "drawloom/Machine/ExactParts.h"
#include "drawloom/Tile/Tile.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace drawloom::task {

/// Reductions of f32 lanes of which all digits count: they are the vector
/// unit's, since the matrix unit cuts its operands to 11 bits.
using ExactOps = llvm::SmallPtrSet<mlir::Operation *, 8>;

/// Rewrites the products and scans of f32 of a body as those of parts. Fails,
/// with an error at the operation, on scans of other than blocks of two axes.
mlir::LogicalResult takeOperandsWhole(tile::GridOp grid, const ExactParts &parts);

/// Adds the reductions of f32 of a prepared body.
void reduceWhole(tile::GridOp grid, ExactOps &exact);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_EXACT_H
