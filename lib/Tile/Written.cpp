// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows an argument through all arrays that view it.

#include "drawloom/Tile/Written.h"

using namespace mlir;
using namespace drawloom::tile;

static bool hasUser(Value array, llvm::function_ref<bool(Operation *)> matches) {
  auto op = array.getDefiningOp<ArrayOp>();
  return llvm::any_of(op->getBlock()->getOps<ArrayOp>(), [&](ArrayOp view) {
    return view.getArgument() == op.getArgument() && llvm::any_of(view->getUsers(), matches);
  });
}

bool drawloom::tile::isWritten(Value array) { return hasUser(array, llvm::IsaPred<StoreOp>); }

bool drawloom::tile::readsWhatItWrote(GridOp grid) {
  llvm::SmallDenseSet<int64_t> written;
  auto argumentOf = [](Value array) { return array.getDefiningOp<ArrayOp>().getArgument(); };
  auto found = grid.walk([&](Operation *op) -> WalkResult {
    if (auto store = dyn_cast<StoreOp>(op))
      written.insert(argumentOf(store.getArray()));
    auto load = dyn_cast<LoadOp>(op);
    return load && written.contains(argumentOf(load.getArray())) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

bool drawloom::tile::isRead(Value array) { return hasUser(array, llvm::IsaPred<LoadOp, ReadOp>); }
