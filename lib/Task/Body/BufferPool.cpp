// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers shared by values that are never in use together.
//
// Producer and consumer of a shared buffer are the same engines, which meet its
// users in the same order: what is first pushed is first popped.

#include "Layout.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

Value BufferPool::create(Location loc, const Wish &wish) {
  int64_t earlier = names[wish.name]++;
  std::string name = earlier ? wish.name + "." + std::to_string(earlier + 1) : wish.name;
  Value buffer = BufferOp::create(b, loc, BufferType::get(b.getContext()), b.getStringAttr(name),
                                  TypeAttr::get(wish.format), b.getI64IntegerAttr(wish.tiles),
                                  b.getI64IntegerAttr(wish.depth), wish.unpack.direct ? b.getUnitAttr() : UnitAttr(),
                                  wish.unpack.operand ? b.getUnitAttr() : UnitAttr(), UnitAttr(), IntegerAttr(),
                                  IntegerAttr(), IntegerAttr());
  if (wish.isShared)
    keys[buffer] = Key{wish.format.getAsOpaquePointer(), wish.tiles, wish.depth, wish.unpack, wish.producer,
                       wish.consumer};
  return buffer;
}

/// The first item that fills a buffer.
void BufferPool::open(Value buffer) {
  if (!keys.contains(buffer) || serving.contains(buffer))
    return;
  auto it = free.find(keys[buffer]);
  if (it == free.end()) {
    serving[buffer] = buffer;
    return;
  }
  serving[buffer] = it->second;
  free.erase(it);
}

void BufferPool::close(Value buffer) {
  if (auto it = serving.find(buffer); it != serving.end())
    free.insert({keys[buffer], it->second});
}

void BufferPool::walk(Body &body, std::vector<Item> &items) {
  for (Item &item : items) {
    switch (item.kind) {
    case Item::Compute:
      for (Value target : body.stages[item.index].targets)
        open(target);
      break;
    case Item::Deliver:
      open(item.buffer);
      break;
    case Item::Number: // popped as soon as it is read
      open(item.buffer);
      close(item.buffer);
      break;
    case Item::Depart:
      close(item.buffer);
      break;
    case Item::Drop:
      if (item.isLast)
        close(item.buffer);
      break;
    case Item::Take:
    case Item::Index:
      break;
    case Item::Loop:
    case Item::Branch:
      walk(body, item.body);
      walk(body, item.otherwise);
      break;
    }
  }
}

/// Writes the serving buffers into the items.
static void rename(std::vector<Item> &items, llvm::function_ref<Value(Value)> named) {
  for (Item &item : items) {
    if (item.buffer)
      item.buffer = named(item.buffer);
    rename(item.body, named);
    rename(item.otherwise, named);
  }
}

void BufferPool::share(Body &body) {
  walk(body, body.items);
  auto named = [&](Value buffer) {
    auto it = serving.find(buffer);
    return it == serving.end() ? buffer : it->second;
  };
  rename(body.items, named);
  for (Stage &stage : body.stages)
    for (Value &target : stage.targets)
      target = named(target);
  for (Delivery &delivery : body.deliveries)
    delivery.buffer = named(delivery.buffer);
  for (Departure &departure : body.departures)
    departure.buffer = named(departure.buffer);
  for (Number &number : body.numbers)
    number.buffer = named(number.buffer);
  for (auto &[key, home] : body.homes)
    home.buffer = named(home.buffer);
  for (auto [buffer, server] : serving)
    if (buffer != server && buffer.use_empty())
      buffer.getDefiningOp()->erase();
}
