// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk through a body that the engines share: waves, loops and branches.

#ifndef DRAWLOOM_LIB_TASK_BODY_WALK_H
#define DRAWLOOM_LIB_TASK_BODY_WALK_H

#include "Body.h"

namespace drawloom::task {

class BodyWalk {
public:
  /// `mine` says which items the engine has a part in.
  BodyWalk(const Body &body, Emitter &emitter, llvm::function_ref<bool(const Item &)> mine,
           llvm::function_ref<void(const Item &)> emit)
      : body(body), s(*body.schedule), e(emitter), mine(mine), emit(emit) {}

  void run() { level(0); }

private:
  void level(unsigned at);
  void items(const std::vector<Item> &list);
  bool concerns(const std::vector<Item> &list) const;

  const Body &body;
  const Schedule &s;
  Emitter &e;
  llvm::function_ref<bool(const Item &)> mine;
  llvm::function_ref<void(const Item &)> emit;
};

/// Writes the part of a data mover; `writes` says whether it stores results.
void emitMover(const Body &body, Emitter &emitter, Engine engine, bool writes);
/// Writes the compute engine's part. `dstTiles` is the capacity of a half of
/// Dst.
void emitCompute(const Body &body, Emitter &emitter, int64_t dstTiles);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_WALK_H
