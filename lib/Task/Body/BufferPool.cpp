// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers shared by scopes that are never open together.
//
// Producer and consumer of a shared buffer are the same engines, which meet its
// users in the same order: what is first pushed is first popped.

#include "Layout.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

Value BufferPool::take(Location loc, const Wish &wish) {
  Key key{wish.format.getAsOpaquePointer(), wish.tiles, wish.depth, wish.direct, wish.producer, wish.consumer};
  Value buffer;
  if (auto it = free.find(key); wish.isShared && it != free.end()) {
    buffer = it->second;
    free.erase(it);
  } else {
    int64_t earlier = names[wish.name]++;
    std::string name = earlier ? wish.name + "." + std::to_string(earlier + 1) : wish.name;
    buffer = BufferOp::create(b, loc, BufferType::get(b.getContext()), b.getStringAttr(name),
                              TypeAttr::get(wish.format), b.getI64IntegerAttr(wish.tiles),
                              b.getI64IntegerAttr(wish.depth), wish.direct ? b.getUnitAttr() : UnitAttr(),
                              UnitAttr(), IntegerAttr(), IntegerAttr());
  }
  if (wish.isShared)
    scopes.back().push_back({key, buffer});
  return buffer;
}

void BufferPool::close() {
  for (auto &[key, buffer] : scopes.back())
    free.insert({key, buffer});
  scopes.pop_back();
}
