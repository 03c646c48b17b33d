// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repeats along all axes at once what is repeated twice.

#ifndef DRAWLOOM_LIB_TASK_BODY_REPEATS_H
#define DRAWLOOM_LIB_TASK_BODY_REPEATS_H

#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace drawloom::task {

/// A tile of two and more axes that is repeated along rows or columns, and is
/// itself made lane by lane of what was repeated: each operand is repeated
/// instead, so that rows and columns are those of the largest tile everywhere.
void joinRepeats(mlir::linalg::BroadcastOp repeat);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_REPEATS_H
