// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves, loops and branches of a body, and what data movers do in them.

#include "Walk.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

/// An index that is not affine: all engines compute it, where any uses it.
static void emitIndex(const Item &item, Emitter &e) {
  e.setLoc(item.op->getLoc());
  e.set(item.index, e.compute(item.op->getResult(0)));
}

bool BodyWalk::concerns(const std::vector<Item> &list) const {
  return llvm::any_of(list, [&](const Item &item) {
    if (item.kind == Item::Index)
      return false;
    return item.kind == Item::Loop || item.kind == Item::Branch
               ? concerns(item.body) || concerns(item.otherwise)
               : mine(item);
  });
}

static bool givesNumbers(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) { return type.isIndex(); });
}

/// A branch that chooses numbers: they are what their coordinates have behind it.
static void emitChoice(scf::IfOp source, Emitter &e, const Schedule &s, Value condition,
                       llvm::function_ref<void(bool)> side) {
  SmallVector<Value> numbers;
  for (Value result : source.getResults())
    if (result.getType().isIndex())
      numbers.push_back(result);
  auto branch = e.create<scf::IfOp>(SmallVector<Type>(numbers.size(), e.builder().getIndexType()), condition,
                                    /*withElseRegion=*/true);
  for (bool isThen : {true, false}) {
    OpBuilder::InsertionGuard guard(e.builder());
    e.builder().setInsertionPointToStart(isThen ? branch.thenBlock() : branch.elseBlock());
    side(isThen);
    SmallVector<Value> yielded;
    for (Value value : isThen ? source.thenYield().getOperands() : source.elseYield().getOperands())
      if (value.getType().isIndex())
        yielded.push_back(e.number(value));
    e.create<scf::YieldOp>(yielded);
  }
  for (auto [number, value] : llvm::zip_equal(numbers, branch.getResults()))
    e.set(*s.opaque(number), value);
}

void BodyWalk::items(const std::vector<Item> &list) {
  for (const Item &item : list) {
    if (item.kind == Item::Loop) {
      if (!concerns(item.body) && !givesNumbers(item.op))
        continue;
      auto loop = cast<scf::ForOp>(item.op);
      e.setLoc(loop.getLoc());
      e.loopOver(loop, s.coordinateOf(loop), [&] { items(item.body); });
    } else if (item.kind == Item::Branch) {
      if (!concerns(item.body) && !concerns(item.otherwise) && !givesNumbers(item.op))
        continue;
      auto branch = cast<scf::IfOp>(item.op);
      e.setLoc(branch.getLoc());
      Value condition = e.number(branch.getCondition());
      if (givesNumbers(branch))
        emitChoice(branch, e, s, condition, [&](bool isThen) { items(isThen ? item.body : item.otherwise); });
      else if (concerns(item.otherwise))
        e.when(condition, [&] { items(item.body); }, [&] { items(item.otherwise); });
      else
        e.when(condition, [&] { items(item.body); });
    } else if (item.kind == Item::Index) {
      emitIndex(item, e);
    } else if (mine(item)) {
      emit(item);
    }
  }
}

void BodyWalk::level(unsigned at) {
  auto hoisted = [&](bool drops) {
    for (const Item &item : body.hoisted)
      if (body.deliveries[item.index].level == at && (item.kind == Item::Drop) == drops && mine(item))
        emit(item);
  };
  hoisted(false);
  auto deeper = [&](const Item &item) { return body.deliveries[item.index].level > at && mine(item); };
  if (at == s.waves())
    items(body.items);
  else if (concerns(body.items) || llvm::any_of(body.hoisted, deeper))
    e.loopOver(Schedule::kFirstLoop + at, [&] { level(at + 1); });
  hoisted(true);
}

//===-- Data movers ---------------------------------------------------------//

/// Tiles of constants, made once.
static void emitConstants(const Body &body, Emitter &e) {
  auto make = [&](Value buffer, llvm::function_ref<void()> fill) {
    if (!buffer)
      return;
    e.create<ReserveOp>(buffer, 1);
    fill();
    e.create<PushOp>(buffer, 1);
  };
  Value zero = e.constant(0);
  auto fill = [&](Value buffer, double value) {
    e.create<FillOp>(buffer, zero, ValueRange{zero, zero},
                     FloatAttr::get(buffer.getDefiningOp<BufferOp>().getFormat(), value));
  };
  make(body.ones, [&] { fill(body.ones, 1); });
  make(body.zeros, [&] { fill(body.zeros, 0); });
  make(body.laneRows, [&] { e.create<IotaOp>(body.laneRows, zero, LaneAxis::Row, zero); });
  make(body.laneMemory, [&] { e.create<IotaOp>(body.laneMemory, zero, LaneAxis::Memory, zero); });
  make(body.laneColumns, [&] { e.create<IotaOp>(body.laneColumns, zero, LaneAxis::Column, zero); });
}

/// A mover's copy of a number, and, by dm0, the compute engine's.
static void emitNumber(const Number &number, Emitter &e, const Schedule &s, Engine engine) {
  e.setLoc(number.access->op->getLoc());
  if (engine == Engine::DM0) {
    e.create<ReserveOp>(number.buffer, 1);
    readNumber(e, s, *number.access, number.align, number.array, number.buffer);
    e.create<PushOp>(number.buffer, 1);
  }
  Value scratch = number.scratch[engine == Engine::DM1];
  readNumber(e, s, *number.access, number.align, number.array, scratch);
  e.set(number.coordinate, numberAt(e, s, *number.access, number.align, scratch));
}

void drawloom::task::emitMover(const Body &body, Emitter &e, Engine engine, bool writes) {
  const Schedule &s = *body.schedule;
  if (engine == Engine::DM0)
    emitConstants(body, e);
  auto mine = [&](const Item &item) {
    if (item.kind == Item::Number)
      return true;
    return item.kind == Item::Deliver ? body.deliveries[item.index].mover == engine
                                      : item.kind == Item::Depart && writes;
  };
  auto emit = [&](const Item &item) {
    if (item.kind == Item::Number)
      emitNumber(body.numbers[item.index], e, s, engine);
    else if (item.kind == Item::Deliver)
      emitDelivery(e, s, body.deliveries[item.index]);
    else
      emitDeparture(e, s, body.departures[item.index]);
  };
  BodyWalk(body, e, mine, emit).run();
}
