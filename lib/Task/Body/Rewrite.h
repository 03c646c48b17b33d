// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says operations that no unit has in terms of those they have.

#ifndef DRAWLOOM_LIB_TASK_BODY_REWRITE_H
#define DRAWLOOM_LIB_TASK_BODY_REWRITE_H

#include "Exact.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace drawloom::task {

/// The place of a largest or smallest float: the extremum with all its digits,
/// then the smallest number among the lanes that equal it.
void splitArgument(mlir::linalg::ReduceOp reduce);
/// Whether a reduction wants such a place.
bool isArgument(mlir::linalg::ReduceOp reduce);

/// Any other reduction of tiles of two axes of floats, in steps that halve: whole
/// tiles with each other, then the lanes of one tile, which products with shifted
/// diagonals bring together. The combiner may take them in any order, as on a GPU.
/// Adds what only carries lanes, with all their digits, to `exact`.
void splitReduction(mlir::linalg::ReduceOp reduce, ExactOps &exact);

/// A scan that is no sum, in steps that double: each lane is combined with the
/// one 1, 2, 4, ... before it, which a product with a shifted diagonal brings.
void splitScan(tile::ScanOp scan);

/// `sum`, or zero, and the lanes of each row of `value` moved: column c gets that
/// of column r where `isZero`, of r and c, is zero. A product, with all digits.
mlir::Value moveLanes(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, int64_t columns,
                      mlir::AffineExpr isZero, mlir::Value sum);

/// Whether a scan adds up one operand, which products with ones do.
bool isSum(tile::ScanOp scan);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_REWRITE_H
