// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that stay inside the `tile` dialect, and the checks behind them.

#ifndef DRAWLOOM_TILE_TILEPASSES_H
#define DRAWLOOM_TILE_TILEPASSES_H

#include "drawloom/Tile/Tile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace drawloom::tile {

/// The contract of the logical state: what every front door must give and
/// every later station may take for granted. Errors are at the operation, with
/// a note on what should have established the rule.
mlir::LogicalResult verifyLogical(ProgramOp program);

/// The contract of the mapped state, on top of the logical one (which it does
/// not check again). Reads nothing about the machine but what attributes say.
mlir::LogicalResult verifyMapped(ProgramOp program);

/// Folds the dimension of `grid` along which programs each work on one row:
/// 32 rows become one tile with a leading axis. Returns whether there was one;
/// otherwise the grid is as before. `grid` is replaced, so it must not be used
/// afterwards.
bool fold(GridOp grid);

/// A tile made of two, side by side along its last axis: lane 2 * i is lane i of
/// `even`, lane 2 * i + 1 that of `odd`.
struct Joined {
  mlir::Value even, odd;
};
/// The two, casts between float types left out; nothing where a tile is made
/// otherwise.
std::optional<Joined> joinedOf(mlir::Value tile);

/// A store of two tiles joined lane by lane (`tl.interleave`, `tl.join`) becomes
/// two stores, each to every second element.
void splitStores(GridOp grid);

/// Stores of slices of one tile that lie side by side in memory become one store.
void joinStores(GridOp grid);

/// Stores of tiles whose axes were permuted, other than the last two with each
/// other, become stores of the tiles before, each lane to where it went.
void turnStores(GridOp grid);

/// Axes of one lane leave tiles of three and more axes.
void dropUnitAxes(GridOp grid);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "drawloom/Tile/TilePasses.h.inc"

} // namespace drawloom::tile

#endif // DRAWLOOM_TILE_TILEPASSES_H
