// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves of the lanes combined until one is left, as the vendor's code does.

#include "drawloom/Sim/Numbers/VectorReduction.h"

using namespace drawloom;
using namespace drawloom::sim;

/// The tile with each lane replaced by the one `distance` lanes on.
static DstTile shifted(const DstTile &tile, int distance) {
  DstTile result;
  for (int lane = 0; lane < kTileElements; ++lane)
    result.bits[lane] = tile.bits[(lane + distance) % kTileElements];
  return result;
}

void drawloom::sim::applyReduction(const VectorReduction &reduction,
                                   DstTile &tile, DstWidth width,
                                   const NumberModel &model) {
  int step = reduction.ofRows ? 1 : kTileSide;
  for (int distance = kTileSide / 2; distance; distance /= 2) {
    DstTile far = shifted(tile, distance * step);
    if (auto *integer = std::get_if<VectorInteger>(&reduction.combine))
      applyInteger(*integer, tile, far, tile);
    else
      applyBinary(std::get<VectorBinary>(reduction.combine), tile, far, tile,
                  width, model);
  }
  for (int lane = 0; lane < kTileElements; ++lane)
    if (reduction.ofRows ? lane % kTileSide : lane >= kTileSide)
      tile.bits[lane] = model.nan;
}
