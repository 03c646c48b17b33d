// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grid points are independent: none writes what another touches.

#ifndef DRAWLOOM_LIB_TILE_CONFLICTS_H
#define DRAWLOOM_LIB_TILE_CONFLICTS_H

#include "drawloom/Tile/Tile.h"

namespace drawloom::tile {

/// Refuses a grid in which one point stores an element that another one loads
/// or stores, unless the two run in order. Exact: an error names two such
/// points. Accesses that depend on data are not judged: whether they conflict
/// is known when the program runs.
mlir::LogicalResult verifyIndependent(GridOp grid);

} // namespace drawloom::tile

#endif // DRAWLOOM_LIB_TILE_CONFLICTS_H
