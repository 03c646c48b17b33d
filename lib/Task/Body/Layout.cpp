// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a body once, in order, and writes down what each engine will do.

#include "Layout.h"

#include "Accesses.h"
#include "ConstantTiles.h"
#include "../Expression.h"
#include "../Travel.h"
#include "drawloom/Tile/Written.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

class LayoutMaker {
public:
  LayoutMaker(Body &body, const Schedule &schedule, const Forms &forms, const Demands &demands,
              const MachineModel &model, bool wideDst, const llvm::DenseMap<Value, Value> &arrays,
              OpBuilder &builder)
      : body(body), s(schedule), forms(forms), demands(demands), model(model), wideDst(wideDst),
        arrays(arrays), b(builder), pool(builder), accesses(schedule, forms, model, arrays, builder),
        constants(body, forms, wideDst, builder) {}

  LogicalResult run(tile::GridOp grid);

private:
  using Items = std::vector<Item>;
  LogicalResult operation(Operation *op, Items &items);
  LogicalResult load(tile::LoadOp op, Items &items);
  LogicalResult store(tile::StoreOp op, Items &items);
  LogicalResult number(tile::ReadOp op, Items &items);
  LogicalResult loop(scf::ForOp op, Items &items);
  LogicalResult branch(scf::IfOp op, Items &items);
  LogicalResult define(Value value, Items &items);
  LogicalResult narrowed(Value value, Items &items);
  LogicalResult stage(Value value, bool isDefinition, const Form &form, SmallVector<Value> targets, Items &items);
  /// The value's tiles from here to the end of the block.
  void settle(Value value, bool narrow, Value buffer, const Form &form, Items &items, bool isLast = true);
  /// Puts the block's drops behind the last use of what they drop.
  void placeDrops(Items &items);
  bool reads(const Item &item, const void *value) const;
  Value carried(Value value, StringRef name, int64_t depth);
  /// What a loop or branch hands on is in `buffers` from here on.
  LogicalResult handOn(ValueRange values, ArrayRef<Value> buffers, Items &items, bool isLast = true);
  Type formatOf(Value value) const;
  BufferPool::Unpack unpackOf(Value value, Type format) const;

  Body &body;
  const Schedule &s;
  const Forms &forms;
  const Demands &demands;
  const MachineModel &model;
  bool wideDst;
  const llvm::DenseMap<Value, Value> &arrays;
  OpBuilder &b;
  BufferPool pool;
  Accesses accesses;
  ConstantTiles constants;
  std::vector<Items> drops; ///< at the end of each open block
  SmallVector<scf::ForOp> around;
  bool conditional = false;
};

} // namespace

/// What a computed buffer is called: after the operation that makes it.
static StringRef nameOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return "carried";
  if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
    return "product";
  if (isa<linalg::ReduceOp>(op))
    return "reduced";
  if (isa<linalg::TransposeOp>(op))
    return "transposed";
  StringRef name = op->getName().stripDialect();
  name.consume_back("f");
  return name;
}

/// The format of a value's own buffer. Conditions are numbers in Dst, but small
/// integers in memory.
Type LayoutMaker::formatOf(Value value) const {
  Type element = getElementTypeOrSelf(value);
  if (element.isBF16() || element.isF32() || element.isInteger(32))
    return element;
  bool fromMemory = value.getDefiningOp<tile::LoadOp>() != nullptr;
  if (element.isInteger(8) || element.isInteger(16) || (element.isInteger(1) && fromMemory))
    return b.getI32Type();
  return element.isInteger(1) ? Type(b.getBF16Type()) : Type();
}

/// Lanes of 32 bits keep them all where the vector unit reads them.
BufferPool::Unpack LayoutMaker::unpackOf(Value value, Type format) const {
  if (format.isInteger(32))
    return {true, false};
  if (!wideDst || !format.isF32() || !demands.needsAllBits(value))
    return {};
  return {true, demands.feedsMatrixUnit(value)};
}

void LayoutMaker::settle(Value value, bool narrow, Value buffer, const Form &form, Items &items, bool isLast) {
  const void *key = value.getAsOpaquePointer();
  body.homes[{key, narrow}] = Home{buffer, form, {}};
  items.push_back({Item::Take, nullptr, 0, buffer, form.tiles(), {}, {}, key});
  drops.back().push_back({Item::Drop, nullptr, 0, buffer, form.tiles(), {}, {}, key, isLast});
}

/// Whether a computation in the item reads the value's tiles.
bool LayoutMaker::reads(const Item &item, const void *value) const {
  auto isValue = [&](Value other) { return bare(other).getAsOpaquePointer() == value; };
  auto inFormula = [&](const Formula &formula) {
    bool tile = llvm::any_of(formula.terms, [&](const Term &term) {
      return term.kind == Term::Tile && term.value.getAsOpaquePointer() == value;
    });
    Operation *head = formula.head;
    if (tile || !head)
      return tile;
    if (formula.isAfterProduct())
      return llvm::any_of(chainOf(head), [&](Operation *product) {
        bool transposed;
        return isValue(productOperand(product, 0, transposed)) || isValue(productOperand(product, 1, transposed));
      });
    return llvm::any_of(head->getOperands(), isValue);
  };
  if (item.kind == Item::Compute) {
    const Stage &stage = body.stages[item.index];
    return inFormula(stage.formula) || (stage.start && inFormula(*stage.start));
  }
  auto within = [&](const Items &list) {
    return llvm::any_of(list, [&](const Item &inner) { return reads(inner, value); });
  };
  return within(item.body) || within(item.otherwise) || (item.kind == Item::Take && item.value == value);
}

void LayoutMaker::placeDrops(Items &items) {
  for (Item &drop : drops.back()) {
    size_t last = 0;
    for (auto [index, item] : llvm::enumerate(items))
      if (reads(item, drop.value))
        last = index;
    items.insert(items.begin() + last + 1, drop);
  }
  drops.pop_back();
}

//===-- Loads and stores ----------------------------------------------------//

static bool looksUp(Operation *user, Value value) {
  auto load = dyn_cast<tile::LoadOp>(user);
  auto store = dyn_cast<tile::StoreOp>(user);
  return (load && load.getLookup() == value) ||
         (store && store.getLookup() == value && store.getTile() != value);
}

LogicalResult LayoutMaker::load(tile::LoadOp op, Items &items) {
  // Values that are only looked up are read by who looks them up.
  if (llvm::all_of(op->getUsers(), [&](Operation *user) { return looksUp(user, op.getTile()); }))
    return success();
  bool top = op->getParentOp() == s.getGrid();
  int64_t hoist = top ? op.getHoist().value_or(0) : 0;
  if (hoist > s.waves())
    return op.emitError("is hoisted across ") << hoist << " loops, but its nest has " << s.waves();
  unsigned level = s.waves() - hoist;
  auto tiles = accesses.blockOf(op, hoist ? Schedule::kFirstLoop + level : s.size());
  if (failed(tiles))
    return failure();
  Type format = formatOf(op.getTile());
  if (!format)
    return op.emitError("loads elements of ") << tiles->element() << ", which no buffer holds";
  Delivery delivery{op, *tiles, level, Engine::DM0, std::nullopt, {}, {}, {}, {}};
  for (unsigned wave = 0; wave < level; ++wave)
    delivery.around.push_back(Schedule::kFirstLoop + wave);
  for (scf::ForOp loop : around)
    delivery.around.push_back(s.coordinateOf(loop));
  if (failed(addTravel(delivery, s, model)))
    return failure();
  // What the program also writes is read by who writes it, in order.
  bool isWritten = tile::isWritten(op.getArray());
  if (isWritten) {
    delivery.mover = Engine::DM1;
    body.writer = Engine::DM1;
  }
  if (isWritten && (delivery.multicast || hoist))
    return op.emitError("loads what the program writes: load it directly, at every iteration");
  if (delivery.multicast && conditional)
    return op.emitError("is multicast where not every core loads: load it directly");
  BufferPool::Wish wish{op.getArray().getDefiningOp<tile::ArrayOp>().getName().str(), format, tiles->tiles(),
                        isWritten ? 1 : int64_t(op.getDepth().value_or(1)), unpackOf(op.getTile(), format), delivery.mover, Engine::Compute,
                        !delivery.multicast};
  delivery.buffer = pool.create(op.getLoc(), wish);
  delivery.array = arrays.lookup(op.getArray());
  if (tiles->lanes)
    delivery.scratch = accesses.scratchFor(*tiles->lanes, stringifyEngine(delivery.mover));
  if (delivery.multicast)
    createSemaphores(delivery, b);
  unsigned index = body.deliveries.size();
  Item deliver{Item::Deliver, op, index, delivery.buffer, tiles->tiles(), {}, {}};
  const void *key = op.getTile().getAsOpaquePointer();
  Item take{Item::Take, op, index, delivery.buffer, tiles->tiles(), {}, {}, key};
  Item drop{Item::Drop, op, index, delivery.buffer, tiles->tiles(), {}, {}, key};
  body.homes[{key, false}] =
      Home{delivery.buffer, forms.of(op.getTile()),
           delivery.block.lanes ? std::nullopt : std::optional(delivery.block)};
  body.deliveries.push_back(std::move(delivery));
  Items &into = hoist ? body.hoisted : items;
  into.push_back(deliver);
  into.push_back(take);
  (hoist ? body.hoisted : drops.back()).push_back(drop);
  return narrowed(op.getTile(), items);
}

/// What a product wants in 16 bits is copied to a buffer of its own.
LogicalResult LayoutMaker::narrowed(Value value, Items &items) {
  if (!demands.isNarrowed(value))
    return success();
  Form form = forms.of(value);
  Value narrow = pool.create(value.getLoc(), {nameOf(value).str(), b.getBF16Type(), form.tiles(), 1});
  if (failed(stage(value, false, form, {narrow}, items)))
    return failure();
  settle(value, true, narrow, form, items);
  return success();
}

LogicalResult LayoutMaker::store(tile::StoreOp op, Items &items) {
  auto type = cast<RankedTensorType>(op.getTile().getType());
  auto array = op.getArray().getDefiningOp<tile::ArrayOp>();
  // Constants lie as is wanted.
  Form form = !splatOf(op.getTile()) ? forms.of(bare(op.getTile()))
              : isa_and_nonnull<tile::RowsAttr>(array.getLayoutAttr()) ? formOf(type, Form::Flat)
                                                                       : formOf(type, Form::Row);
  auto block = accesses.blockOf(op, form);
  if (failed(block))
    return failure();
  if (!block->lanes && block->flat != (form.kind == Form::Flat))
    return op.emitError("writes a vector that lies otherwise in tiles than in its array");
  Type format = formatOf(op.getTile());
  if (!format)
    return op.emitError("stores elements of ") << block->element() << ", which no buffer holds";
  Departure out{op, *block, arrays.lookup(op.getArray()), {}, {}};
  if (block->lanes)
    out.scratch = accesses.scratchFor(*block->lanes, "out");
  bool repeats = llvm::any_of(llvm::seq(Schedule::kFirstLoop, Schedule::kFirstLoop + s.waves()),
                              [&](unsigned wave) { return s.extent(wave) > 1; }) || !around.empty();
  out.buffer = pool.create(op.getLoc(), {array.getName().str(), format, block->tiles(), repeats ? 2 : 1,
                                       {format.isInteger(32)}, Engine::Compute, Engine::DM1});
  if (failed(stage(op.getTile(), false, form, {out.buffer}, items)))
    return failure();
  unsigned index = body.departures.size();
  body.departures.push_back(out);
  items.push_back({Item::Depart, op, index, out.buffer, block->tiles(), {}, {}});
  return success();
}

//===-- Computations --------------------------------------------------------//

LogicalResult LayoutMaker::stage(Value value, bool isDefinition, const Form &form,
                                 SmallVector<Value> targets, Items &items) {
  SmallVector<Operation *> heads;
  auto formula = isDefinition ? demands.definitionOf(value, heads) : demands.formulaOf(value, heads);
  if (failed(formula))
    return failure();
  Stage stage{value.getLoc(), form, *formula, demands.actionsOf(*formula), {}, {}, {}, targets};
  if (formula->isAfterProduct()) {
    stage.products = chainOf(formula->head);
    Value start = stage.products.front()->getOperand(2);
    auto constant = splatOf(start);
    if (!constant || *constant != 0) {
      auto seed = demands.formulaOf(start, heads);
      if (failed(seed))
        return failure();
      stage.startActions = demands.actionsOf(*seed);
      stage.start = *seed;
    }
  }
  if (auto reduce = dyn_cast_or_null<linalg::ReduceOp>(formula->head))
    stage.isReducedByVectorUnit = demands.isReducedByVectorUnit(reduce);
  constants.provide(stage);
  unsigned index = body.stages.size();
  body.stages.push_back(std::move(stage));
  items.push_back({Item::Compute, nullptr, index, {}, 0, {}, {}});
  return success();
}

/// Computes a kept value where it is defined.
LogicalResult LayoutMaker::define(Value value, Items &items) {
  Form form = forms.of(value);
  Type format = formatOf(value);
  if (!format)
    return emitError(value.getLoc(), "keeps tiles of ")
           << getElementTypeOrSelf(value) << ", which no buffer holds";
  SmallVector<Value> targets;
  bool own = !demands.isOnlyNarrowed(value), narrow = demands.isNarrowed(value);
  if (own)
    targets.push_back(pool.create(value.getLoc(), {nameOf(value).str(), format, form.tiles(), 1, unpackOf(value, format)}));
  if (narrow)
    targets.push_back(pool.create(value.getLoc(), {nameOf(value).str(), b.getBF16Type(), form.tiles(), 1}));
  if (failed(stage(value, true, form, targets, items)))
    return failure();
  if (own)
    settle(value, false, targets.front(), form, items);
  if (narrow)
    settle(value, true, targets.back(), form, items);
  return success();
}

//===-- Control -------------------------------------------------------------//

Value LayoutMaker::carried(Value value, StringRef name, int64_t depth) {
  Type format = formatOf(value);
  if (!format)
    return {};
  return pool.create(value.getLoc(), {name.str(), format, forms.of(value).tiles(), depth, unpackOf(value, format)});
}

LogicalResult LayoutMaker::handOn(ValueRange values, ArrayRef<Value> buffers, Items &items, bool isLast) {
  for (auto [value, buffer] : llvm::zip_equal(values, buffers)) {
    settle(value, false, buffer, forms.of(value), items, isLast);
    if (failed(narrowed(value, items)))
      return failure();
  }
  return success();
}

/// The tiles among values; every engine has numbers for itself.
static SmallVector<Value> tilesOf(ValueRange values) {
  return llvm::to_vector(llvm::make_filter_range(values, [](Value value) { return !value.getType().isIndex(); }));
}

LogicalResult LayoutMaker::loop(scf::ForOp op, Items &items) {
  // A value from one iteration to the next: the old one in front, the new behind.
  SmallVector<Value> buffers, args = tilesOf(op.getRegionIterArgs());
  for (auto [init, arg] : llvm::zip_equal(tilesOf(op.getInitArgs()), args)) {
    buffers.push_back(carried(arg, "carried", 2));
    if (!buffers.back())
      return op.emitError("carries tiles of ") << getElementTypeOrSelf(arg) << ", which no buffer holds";
    if (failed(stage(init, false, forms.of(arg), {buffers.back()}, items)))
      return failure();
  }
  Item item{Item::Loop, op, 0, {}, 0, {}, {}};
  around.push_back(op);
  auto trips = getConstantIntValue(op.getUpperBound());
  bool sameOnAllCores = trips && getConstantIntValue(op.getLowerBound());
  bool outside = std::exchange(conditional, conditional || !sameOnAllCores);
  drops.emplace_back();
  if (failed(handOn(args, buffers, item.body, /*isLast=*/false)))
    return failure();
  // The old values go when the new ones are there, in the order of the buffers.
  for (Operation &inner : op.getBody()->without_terminator())
    if (failed(operation(&inner, item.body)))
      return failure();
  for (auto [value, arg, buffer] : llvm::zip_equal(tilesOf(op.getYieldedValues()), args, buffers))
    if (failed(stage(value, false, forms.of(arg), {buffer}, item.body)))
      return failure();
  placeDrops(item.body);
  conditional = outside;
  around.pop_back();
  items.push_back(std::move(item));
  return handOn(tilesOf(op.getResults()), buffers, items);
}

LogicalResult LayoutMaker::branch(scf::IfOp op, Items &items) {
  SmallVector<Value> buffers, results = tilesOf(op.getResults());
  for (Value result : results) {
    buffers.push_back(carried(result, "chosen", 1));
    if (!buffers.back())
      return op.emitError("chooses tiles of ") << getElementTypeOrSelf(result) << ", which no buffer holds";
  }
  Item item{Item::Branch, op, 0, {}, 0, {}, {}};
  bool outside = std::exchange(conditional, true);
  for (auto [region, into] : {std::pair(&op.getThenRegion(), &item.body), std::pair(&op.getElseRegion(), &item.otherwise)}) {
    if (region->empty())
      continue;
    drops.emplace_back();
    for (Operation &inner : region->front().without_terminator())
      if (failed(operation(&inner, *into)))
        return failure();
    for (auto [value, result, buffer] :
         llvm::zip_equal(tilesOf(region->front().getTerminator()->getOperands()), results, buffers))
      if (failed(stage(value, false, forms.of(result), {buffer}, *into)))
        return failure();
    placeDrops(*into);
  }
  conditional = outside;
  items.push_back(std::move(item));
  return handOn(results, buffers, items);
}

LogicalResult LayoutMaker::number(tile::ReadOp op, Items &items) {
  // Every engine reads it when it gets there.
  if (tile::isWritten(op.getArray()))
    return op.emitError("reads an index from an array that the program also writes: write another array");
  auto access = lanesOf(s, op, formOf(RankedTensorType::get({}, op.getArray().getType().getElementType()), Form::Flat));
  if (failed(access))
    return failure();
  Number number;
  number.access = std::make_shared<LaneAccess>(*access);
  number.coordinate = *s.opaque(op.getValue());
  number.array = arrays.lookup(op.getArray());
  number.align = accesses.align();
  for (Engine engine : {Engine::DM0, Engine::DM1})
    number.scratch[engine == Engine::DM1] = accesses.scratchBuffer(*access, (stringifyEngine(engine) + "_number").str());
  // No tile: a few bytes as they lie in memory, whatever their type.
  number.buffer = pool.create(op.getLoc(), {access->array.getName().str(), b.getI32Type(), 1, 2, {true}, Engine::DM0,
                                            Engine::Compute});
  unsigned index = body.numbers.size();
  body.numbers.push_back(number);
  items.push_back({Item::Number, op, index, number.buffer, 1, {}, {}});
  return success();
}

LogicalResult LayoutMaker::operation(Operation *op, Items &items) {
  if (auto inner = dyn_cast<tile::ReadOp>(op))
    return number(inner, items);
  if (auto inner = dyn_cast<tile::LoadOp>(op))
    return load(inner, items);
  if (auto inner = dyn_cast<tile::StoreOp>(op))
    return store(inner, items);
  if (auto inner = dyn_cast<scf::ForOp>(op))
    return loop(inner, items);
  if (auto inner = dyn_cast<scf::IfOp>(op))
    return branch(inner, items);
  for (Value result : op->getResults()) {
    if (result.getType().isIndex() && s.opaque(result))
      items.push_back({Item::Index, op, *s.opaque(result), {}, 0, {}, {}});
    if (demands.isBuffered(result) && failed(define(result, items)))
      return failure();
  }
  return success();
}

LogicalResult LayoutMaker::run(tile::GridOp grid) {
  body.schedule = &s;
  drops.emplace_back();
  for (Operation &op : grid.getBody().front())
    if (failed(operation(&op, body.items)))
      return failure();
  placeDrops(body.items);
  pool.share(body);
  return success();
}

FailureOr<Body> drawloom::task::layOut(tile::GridOp grid, const Schedule &schedule, const Forms &forms,
                                       const Demands &demands, const MachineModel &model, bool wideDst,
                                       const llvm::DenseMap<Value, Value> &arrays, OpBuilder &builder) {
  Body body;
  if (failed(LayoutMaker(body, schedule, forms, demands, model, wideDst, arrays, builder).run(grid)))
    return failure();
  return std::move(body);
}
