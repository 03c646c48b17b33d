// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says operations that no unit has in terms of those they have.

#ifndef DRAWLOOM_LIB_TASK_BODY_REWRITE_H
#define DRAWLOOM_LIB_TASK_BODY_REWRITE_H

#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace drawloom::task {

/// The place of a largest or smallest element: the extremum, then the smallest
/// number among the lanes that equal it. Does nothing where the matrix unit
/// would confuse values or numbers: it keeps 11 bits of each.
void splitArgument(mlir::linalg::ReduceOp reduce);

/// A scan that is no sum, in steps that double: each lane is combined with the
/// one 1, 2, 4, ... before it, which a product with a shifted diagonal brings.
void splitScan(tile::ScanOp scan);

/// Whether a scan adds up one operand, which products with ones do.
bool isSum(tile::ScanOp scan);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_REWRITE_H
