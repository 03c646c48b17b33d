// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the multiplications of a matrix product that the source asks for.

#ifndef DRAWLOOM_LIB_PLAN_MULTIPLICATIONS_H
#define DRAWLOOM_LIB_PLAN_MULTIPLICATIONS_H

#include "drawloom/Plan/Problem.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace drawloom::plan {

/// Multiplications of `product`, of matrices or batches, over the whole grid and its loops `nest`. Lanes
/// that an operand's bounds exclude do not count, so that a ragged product has
/// M N K of them; rows and columns are counted apart, which is exact when
/// each lane axis is bounded by one index. O(sum of trips).
double multiplications(mlir::linalg::LinalgOp product, const Problem &problem,
                       llvm::ArrayRef<int> nest);

} // namespace drawloom::plan

#endif // DRAWLOOM_LIB_PLAN_MULTIPLICATIONS_H
