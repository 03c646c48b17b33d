// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operations over several tiles the units do.

#ifndef DRAWLOOM_LIB_TASK_BODY_HEADS_H
#define DRAWLOOM_LIB_TASK_BODY_HEADS_H

#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace drawloom::task {

/// Refuses, at the operation, products, reductions, transpositions and scans
/// of a prepared body that the units do not do.
mlir::LogicalResult checkHeads(tile::GridOp grid, const Forms &forms);

/// The vector unit's name of a reduction's combiner; empty if no unit has it.
llvm::StringRef vectorCombiner(mlir::linalg::ReduceOp op);

/// Whether a reduction combines whole tiles, lane by lane: along an axis before
/// the last two.
bool countsTiles(mlir::linalg::ReduceOp op);

/// Whether a transposition exchanges the last two axes and no others.
bool exchangesRowsAndColumns(mlir::linalg::TransposeOp op);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_HEADS_H
