// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data movers that fill and empty tiles line by line, through scratch.

#ifndef DRAWLOOM_LIB_TASK_LANEMOVER_H
#define DRAWLOOM_LIB_TASK_LANEMOVER_H

#include "Emitter.h"
#include "Lanes.h"
#include "drawloom/Machine/MachineModel.h"

namespace drawloom::task {

/// Scratch for the lines of one tile, and for looked-up values.
struct Scratch {
  mlir::Value lines, values;
  mlir::Value valuesArray; ///< of the looked-up values
  int64_t align = 1;       ///< bytes to which addresses in DRAM and L1 agree
};

/// Tiles of scratch, of the access's elements, that its lines take.
int64_t lineTiles(const LaneAccess &lanes, int64_t align);

/// Reads the lanes of tile `slot` into that slot of `buffer`. Lanes that do not
/// exist become `pad`.
void readLanes(Emitter &emitter, const Schedule &schedule, const LaneAccess &lanes, const Scratch &scratch,
               mlir::Value array, mlir::Value buffer, mlir::Value slot, mlir::TypedAttr pad);
/// Writes the lanes of tile `slot` of `buffer` that exist.
void writeLanes(Emitter &emitter, const Schedule &schedule, const LaneAccess &lanes, const Scratch &scratch,
                mlir::Value array, mlir::Value buffer, mlir::Value slot);

/// Reads the element of a `tile.read` into slot 0 of `buffer`, and waits.
void readNumber(Emitter &emitter, const Schedule &schedule, const LaneAccess &access, int64_t align,
                mlir::Value array, mlir::Value buffer);
/// The number it left there. Where the access is beyond its array, which idle
/// points' are, it is the nearest element.
mlir::Value numberAt(Emitter &emitter, const Schedule &schedule, const LaneAccess &access, int64_t align,
                     mlir::Value buffer);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_LANEMOVER_H
