// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a tile in the order of its faces in L1.

#ifndef DRAWLOOM_LIB_SIM_NUMBERS_FACEORDER_H
#define DRAWLOOM_LIB_SIM_NUMBERS_FACEORDER_H

#include "VectorClones.h"
#include "drawloom/Sim/Numbers/Registers.h"

namespace drawloom::sim {

/// Calls `row(element index in L1, row-major index)` for each row of each face;
/// sixteen elements are contiguous in both.
template <typename Row> DRAWLOOM_INLINE void forFaceRows(Row row) {
  for (int i = 0; i < kTileElements; i += kFaceSide) {
    int face = i / (kFaceSide * kFaceSide), r = i / kFaceSide % kFaceSide;
    row(i, (face / 2 * kFaceSide + r) * kTileSide + face % 2 * kFaceSide);
  }
}

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_NUMBERS_FACEORDER_H
