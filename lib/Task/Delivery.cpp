// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data movers: reads, edge fills, multicasts and writes.
//
// Counters of a multicast are never reset: in round n (from 1) a sender goes
// on when `free` has counted n signals of each receiver, and a receiver when
// `full` says that n rounds have arrived. Every core takes part in every
// round, also one whose grid point is idle.

#include "Delivery.h"

#include "Pages.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

/// Emits one delivery.
class DeliveryEmitter {
public:
  DeliveryEmitter(Emitter &emitter, const Schedule &schedule, const Delivery &delivery)
      : e(emitter), s(schedule), d(delivery), pages(emitter, schedule, delivery.block) {}

  void emit();

private:
  void readPart(Value from, int64_t count);
  TypedAttr pad();
  void fillEdges(Value from, int64_t count);
  void sendFromOne();
  void sendFromGroup();
  /// This core's part of a group's tiles: `use` with its size, for each size
  /// parts have.
  void withPart(llvm::function_ref<void(int64_t)> use);
  Value member();
  Value round();
  SmallVector<Value> rectangle(int64_t from);
  Value slotAt(Value from, Value index) {
    AffineExpr a = getAffineDimExpr(s.size(), s.context()), b = getAffineDimExpr(s.size() + 1, s.context());
    return e.apply(a + b, {from, index});
  }
  int64_t others() const { return d.multicast->cores - 1; }

  Emitter &e;
  const Schedule &s;
  const Delivery &d;
  Pages pages;
};

} // namespace

/// The value of lanes that do not exist.
TypedAttr DeliveryEmitter::pad() {
  tile::LoadOp load = d.load;
  Type format = BufferOp(d.buffer.getDefiningOp<BufferOp>()).getFormat();
  TypedAttr stated = load.getPadAttr();
  if (!stated)
    return e.builder().getZeroAttr(format);
  // Small integers are widened on their way.
  if (auto number = dyn_cast<IntegerAttr>(stated))
    return e.builder().getIntegerAttr(format, number.getType().isInteger(1) ? number.getValue().getZExtValue()
                                                                           : number.getInt());
  return stated;
}

void DeliveryEmitter::readPart(Value from, int64_t count) {
  if (d.block.lanes)
    return e.loop(count, [&](Value index) {
      readLanes(e, s, *d.block.lanes, d.scratch, d.array, d.buffer, slotAt(from, index), pad());
    });
  e.loop(count, [&](Value index) {
    Value slot = slotAt(from, index);
    e.when(pages.exists(slot), [&] {
      Value page = pages.page(slot);
      e.create<ReadOp>(d.array, page, d.buffer, slot, pages.part());
    });
  });
  e.create<FenceOp>(Transfers::Reads);
  if (d.block.isPartial())
    fillEdges(from, count);
}

void DeliveryEmitter::fillEdges(Value from, int64_t count) {
  TypedAttr pad = this->pad();
  auto fillAll = [&] {
    e.loop(count, [&](Value index) {
      Value slot = slotAt(from, index);
      e.when(pages.isEdge(slot, d.multicast.has_value()),
             [&] { e.create<FillOp>(d.buffer, slot, pages.keep(slot), pad); });
    });
  };
  // Interior blocks pay one comparison.
  count == 1 ? fillAll() : e.when(pages.hasEdge(), fillAll);
}

Value DeliveryEmitter::member() {
  AffineExpr index = getAffineConstantExpr(0, s.context());
  for (unsigned c : d.multicast->along)
    index = index * s.extent(c) + s.coordinate(c);
  return e.apply(index);
}

/// Deliveries so far, this one included.
Value DeliveryEmitter::round() {
  AffineExpr count = getAffineConstantExpr(0, s.context());
  for (unsigned c : d.around)
    count = count * s.extent(c) + s.coordinate(c);
  return e.apply(count + 1);
}

/// The cores of the group, along each dimension of it from `from` on.
SmallVector<Value> DeliveryEmitter::rectangle(int64_t from) {
  SmallVector<Value> low, high;
  for (unsigned c : {Schedule::kX, Schedule::kY}) {
    bool along = llvm::is_contained(d.multicast->along, c);
    low.push_back(along ? e.constant(from) : e.apply(s.coordinate(c)));
    high.push_back(along ? e.constant(s.extent(c) - 1) : low.back());
  }
  return {low[0], low[1], high[0], high[1]};
}

void DeliveryEmitter::sendFromOne() {
  const Multicast &m = *d.multicast;
  Value sends = e.create<arith::CmpIOp>(arith::CmpIPredicate::eq, member(), e.constant(0));
  Value now = round();
  int64_t tiles = d.block.tiles();
  // Along one dimension the sender is outside its rectangle.
  int64_t first = m.along.size() == 1 ? 1 : 0;
  e.when(
      sends,
      [&] {
        readPart(e.constant(0), tiles);
        AffineExpr n = getAffineDimExpr(s.size(), s.context());
        e.create<AwaitOp>(m.free, e.apply(n * others(), now));
        SmallVector<Value> to = rectangle(first);
        e.create<MulticastOp>(d.buffer, e.constant(0), tiles, to, others());
        e.create<PublishOp>(m.full, now, to, others());
        e.create<FenceOp>(Transfers::Writes);
      },
      [&] {
        SmallVector<Value> sender = rectangle(0);
        sender[2] = sender[0], sender[3] = sender[1];
        e.create<SignalOp>(m.free, sender);
        e.create<AwaitOp>(m.full, now);
      });
}

void DeliveryEmitter::withPart(llvm::function_ref<void(int64_t)> use) {
  int64_t tiles = d.block.tiles(), cores = d.multicast->cores;
  int64_t part = llvm::divideCeil(tiles, cores), whole = tiles / part;
  if (whole == cores)
    return use(part);
  AffineExpr n = getAffineDimExpr(s.size(), s.context());
  Value me = member();
  e.when(e.isPositive(whole - n, me), [&] { use(part); });
  if (int64_t rest = tiles % part)
    e.when(e.create<arith::CmpIOp>(arith::CmpIPredicate::eq, me, e.constant(whole)),
           [&] { use(rest); });
}

void DeliveryEmitter::sendFromGroup() {
  const Multicast &m = *d.multicast;
  SmallVector<Value> to = rectangle(0);
  AffineExpr n = getAffineDimExpr(s.size(), s.context());
  Value expected = e.apply(n * others(), round());
  Value from = e.apply(n * static_cast<int64_t>(llvm::divideCeil(d.block.tiles(), m.cores)), member());
  e.create<SignalOp>(m.free, to);
  withPart([&](int64_t count) { readPart(from, count); });
  e.create<AwaitOp>(m.free, expected);
  withPart([&](int64_t count) {
    e.create<MulticastOp>(d.buffer, from, count, to, others());
    e.create<FenceOp>(Transfers::Writes);
  });
  e.create<SignalOp>(m.full, to);
  e.create<AwaitOp>(m.full, expected);
}

void DeliveryEmitter::emit() {
  int64_t tiles = d.block.tiles();
  e.create<ReserveOp>(d.buffer, tiles);
  if (!d.multicast)
    readPart(e.constant(0), tiles);
  else
    d.multicast->group ? sendFromGroup() : sendFromOne();
  e.create<PushOp>(d.buffer, tiles);
}

void drawloom::task::emitDelivery(Emitter &emitter, const Schedule &schedule,
                                  const Delivery &delivery) {
  tile::LoadOp load = delivery.load;
  emitter.setLoc(load.getLoc());
  DeliveryEmitter(emitter, schedule, delivery).emit();
}

//===-- Stores --------------------------------------------------------------//

void drawloom::task::emitDeparture(Emitter &e, const Schedule &s, const Departure &d) {
  tile::StoreOp store = d.store;
  e.setLoc(store.getLoc());
  Pages pages(e, s, d.block);
  int64_t tiles = d.block.tiles();
  e.create<WaitOp>(d.buffer, tiles);
  auto write = [&](Value slot, ValueRange part) {
    e.create<WriteOp>(d.buffer, slot, d.array, pages.page(slot), part);
  };
  SmallVector<Value> active;
  for (AffineExpr condition : s.active())
    active.push_back(e.isPositive(condition + 1));
  e.when(e.all(active), [&] {
    if (d.block.lanes)
      return e.loop(tiles, [&](Value slot) {
        writeLanes(e, s, *d.block.lanes, d.scratch, d.array, d.buffer, slot);
      });
    e.loop(tiles, [&](Value slot) {
      e.when(pages.exists(slot), [&] {
        if (!d.block.flat || d.block.columns.limits.empty())
          return write(slot, pages.part());
        // Bytes after the last lane survive.
        e.when(
            pages.isEdge(slot), [&] { write(slot, pages.part(pages.keep(slot).front())); },
            [&] { write(slot, pages.part()); });
      });
    });
    e.create<FenceOp>(Transfers::Writes);
  });
  e.create<PopOp>(d.buffer, tiles);
}
