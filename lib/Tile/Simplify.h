// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a grid's body smaller without changing what it computes.

#ifndef DRAWLOOM_LIB_TILE_SIMPLIFY_H
#define DRAWLOOM_LIB_TILE_SIMPLIFY_H

#include "drawloom/Tile/Tile.h"

namespace drawloom::tile {

/// Loops of one iteration become their body, loops of none vanish; indices that
/// are constants or `affine.apply` become part of the accesses' maps; what is
/// computed or loaded twice is computed once, outside the loops it does not
/// depend on. Broadcasts stay where they are used: there they cost nothing.
void simplify(GridOp grid);

} // namespace drawloom::tile

#endif // DRAWLOOM_LIB_TILE_SIMPLIFY_H
