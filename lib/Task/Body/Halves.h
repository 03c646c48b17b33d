// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes every second lane of a row, and puts lanes of two rows side by side.

#ifndef DRAWLOOM_LIB_TASK_BODY_HALVES_H
#define DRAWLOOM_LIB_TASK_BODY_HALVES_H

#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace drawloom::task {

/// One half of `tl.split`, which imports as a sum over a last axis of two of
/// which one lane is masked, becomes a product that selects lanes. Exact: floats
/// of 32 bits go in three parts.
void selectHalf(mlir::linalg::ReduceOp reduce);

/// `tl.join` with its two axes made one becomes two such products.
void joinHalves(mlir::tensor::CollapseShapeOp collapse);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_HALVES_H
