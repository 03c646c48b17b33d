// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns tiles and vectors that lie otherwise than memory or their use asks.

#ifndef DRAWLOOM_LIB_TASK_BODY_STRAIGHTEN_H
#define DRAWLOOM_LIB_TASK_BODY_STRAIGHTEN_H

#include "drawloom/Tile/Tile.h"

namespace drawloom::task {

/// An access of exchanged axes becomes one that takes rows as rows, and a
/// transposition.
void straighten(tile::LoadOp load);
void straighten(tile::StoreOp store);

/// Vectors of tiled arrays are rows; repeated ones lie as the axis asks.
void turnVectors(tile::GridOp grid);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_STRAIGHTEN_H
