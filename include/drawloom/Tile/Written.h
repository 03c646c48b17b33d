// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program both loads and stores.

#ifndef DRAWLOOM_TILE_WRITTEN_H
#define DRAWLOOM_TILE_WRITTEN_H

#include "drawloom/Tile/Tile.h"

namespace drawloom::tile {

/// Whether the program stores to what `array` views, by this array or by
/// another one over the same argument.
bool isWritten(mlir::Value array);

/// Whether the program loads or reads what `array` views, by any such array.
bool isRead(mlir::Value array);

/// Whether a load stands behind a store to what it loads from.
bool readsWhatItWrote(GridOp grid);

} // namespace drawloom::tile

#endif // DRAWLOOM_TILE_WRITTEN_H
