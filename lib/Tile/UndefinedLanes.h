// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that no load defines must not reach a result.

#ifndef DRAWLOOM_LIB_TILE_UNDEFINEDLANES_H
#define DRAWLOOM_LIB_TILE_UNDEFINEDLANES_H

#include "drawloom/Tile/Tile.h"

namespace drawloom::tile {

/// Follows the lanes outside the bounds of loads without padding through the
/// grid's body, and refuses a store, product or reduction that they reach.
mlir::LogicalResult verifyDefinedLanes(GridOp grid);

} // namespace drawloom::tile

#endif // DRAWLOOM_LIB_TILE_UNDEFINEDLANES_H
