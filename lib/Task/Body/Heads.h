// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operations over several tiles the units do.

#ifndef DRAWLOOM_LIB_TASK_BODY_HEADS_H
#define DRAWLOOM_LIB_TASK_BODY_HEADS_H

#include "Form.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace drawloom::task {

/// Refuses, at the operation, products, reductions, transpositions and scans
/// of a prepared body that the units do not do.
mlir::LogicalResult checkHeads(tile::GridOp grid, const Forms &forms);

/// Whether a transposition exchanges the last two axes and no others.
bool exchangesRowsAndColumns(mlir::linalg::TransposeOp op);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_HEADS_H
