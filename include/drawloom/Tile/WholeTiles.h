// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether an access moves whole hardware tiles.

#ifndef DRAWLOOM_TILE_WHOLETILES_H
#define DRAWLOOM_TILE_WHOLETILES_H

#include "drawloom/Tile/Tile.h"

namespace drawloom::tile {

/// Whether `op`, a tile.load or tile.store, moves whole 32x32 tiles of an array
/// laid out as `#tile.tiled`: its lane axes (one or two; one of a single lane
/// may be missing from a load) lie along the last two dimensions of the array, in either
/// order, one element a lane, from multiples of 32 inside the array, and no
/// lane is missing before one that exists. A store also leaves out no lane of
/// a tile that the array has, since pages are written whole. Elements that
/// tiles hold are bf16, f16, f32 and i32; what goes by a lookup never does.
/// Exact where indices are affine; where memory decides them, only what holds
/// for every value counts.
bool movesWholeTiles(mlir::Operation *op);

/// Whether all accesses of an array do, and there are some.
bool movesWholeTiles(ArrayOp array);

} // namespace drawloom::tile

#endif // DRAWLOOM_TILE_WHOLETILES_H
