// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes f32 operands of the matrix unit whole, in parts it multiplies exactly.

#ifndef DRAWLOOM_LIB_TASK_BODY_EXACT_H
#define DRAWLOOM_LIB_TASK_BODY_EXACT_H

#include "drawloom/Machine/ExactParts.h"
#include "drawloom/Tile/Tile.h"

namespace drawloom::task {

/// Rewrites the products and scans of f32 of a body as those of parts, and asks
/// for reductions in the vector unit. Fails, with an error at the operation, on
/// batches of products, and on scans of other than blocks of two axes.
mlir::LogicalResult takeOperandsWhole(tile::GridOp grid, const ExactParts &parts);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_EXACT_H
