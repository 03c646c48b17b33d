// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the tiles of one load get into a buffer, and those of a store out.

#ifndef DRAWLOOM_LIB_TASK_DELIVERY_H
#define DRAWLOOM_LIB_TASK_DELIVERY_H

#include "Block.h"
#include "Emitter.h"
#include "LaneMover.h"

namespace drawloom::task {

/// The cores that get the same tiles, and the counters they agree by.
struct Multicast {
  llvm::SmallVector<unsigned> along; ///< Schedule::kX, kY
  bool group = false;                ///< every core reads a part
  int64_t cores = 1;                 ///< in one group of receivers
  mlir::Value free, full;            ///< semaphores
};

/// One load's way into its buffer.
struct Delivery {
  tile::LoadOp load;
  TileBlock block;
  unsigned level; ///< loops around each delivery
  Engine mover;
  std::optional<Multicast> multicast;
  mlir::Value array, buffer;
  llvm::SmallVector<unsigned> around; ///< coordinates of the loops around, outermost first
  Scratch scratch;                    ///< where lanes are moved one by one
};

/// One store's way out of its buffer.
struct Departure {
  tile::StoreOp store;
  TileBlock block;
  mlir::Value array, buffer;
  Scratch scratch; ///< where lanes are moved one by one
};

/// Emits one delivery: from reserve to push.
void emitDelivery(Emitter &emitter, const Schedule &schedule, const Delivery &delivery);
/// Emits one departure: from wait to pop.
void emitDeparture(Emitter &emitter, const Schedule &schedule, const Departure &departure);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_DELIVERY_H
