// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the programs that are one product, or element-wise, from all others.

#ifndef DRAWLOOM_LIB_PLAN_SIMPLEFORM_H
#define DRAWLOOM_LIB_PLAN_SIMPLEFORM_H

#include "drawloom/Tile/Tile.h"

namespace drawloom::plan {

/// Whether the grid computes at most one matrix product of two loaded tiles,
/// accumulated over at most one loop of constant bounds, then element-wise
/// functions of floats, and every access moves whole tiles or whole runs. Such
/// a program has deliveries of several iterations at once, and no value of it
/// but the accumulator ever lies in L1.
bool isSimple(tile::GridOp grid);

/// Elements of a page when `op`, a load or store, walks its array's last axis
/// from page boundaries and computes with nothing but such runs; 0 otherwise.
int64_t runOf(mlir::Operation *op);

/// Whether a rank-1 value meets blocks: then it is a row or column of tiles.
bool meetsBlocks(mlir::Value value);

} // namespace drawloom::plan

#endif // DRAWLOOM_LIB_PLAN_SIMPLEFORM_H
