// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mapped tile program to the programs of a core's engines.

#include "drawloom/Task/TaskPasses.h"

#include "Body/BodyToTask.h"
#include "Compute.h"
#include "Travel.h"
#include "drawloom/Tile/Written.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

/// Creates the task program of a recognised kernel.
class Lowering {
public:
  Lowering(Kernel &kernel, const MachineModel &model) : k(kernel), s(*kernel.schedule), model(model) {}
  /// Whether every expression fits in Dst as it stands.
  bool fitsDst();
  FailureOr<ProgramOp> run(OpBuilder &builder);

private:
  void createArrays(OpBuilder &b);
  void createBuffers(OpBuilder &b);
  mlir::Value createBuffer(OpBuilder &b, Location loc, StringRef name, Type format, int64_t tiles,
                           int64_t depth, bool direct, bool operand = false);
  void createPartials(OpBuilder &b);
  void createSemaphores(OpBuilder &b);
  KernelOp createKernel(OpBuilder &b, Engine engine);
  void fillZeros(Emitter &emitter);
  void emitLevel(Emitter &emitter, Engine engine, unsigned level);
  Engine writer() const;
  int64_t work(Engine engine) const;
  Value arrayOf(tile::ArrayOp array) const { return arrays.lookup(array.getView()); }
  StringRef nameOf(const Delivery &d) const {
    tile::ArrayOp array = d.block.array;
    return array.getName();
  }
  bool feedsProduct(const Delivery &delivery) const;
  bool isReadByLanes(const Delivery &delivery) const;

  Kernel &k;
  const Schedule &s;
  const MachineModel &model;
  ProgramOp program;
  std::optional<ProductPlan> plan;
  ComputeBuffers buffers;
  llvm::DenseMap<Value, Value> arrays;
  llvm::StringMap<int64_t> bufferNames;
};

} // namespace

bool Lowering::fitsDst() {
  std::optional<int64_t> capacity = model.dstTiles(k.program.getPrecisionAttr().getDst().isF32());
  if (!capacity)
    return false;
  if (k.product) {
    auto chosen = planProduct(k, *capacity);
    if (failed(chosen))
      return false;
    plan = *chosen;
  }
  return llvm::all_of(k.roots, [&](const Root &root) { return root.steps.temporaries <= *capacity; });
}

void Lowering::createArrays(OpBuilder &b) {
  for (auto array : k.program.getBody().getOps<tile::ArrayOp>())
    arrays[array.getView()] = ArrayOp::create(
        b, array.getLoc(), ArrayType::get(b.getContext()), array.getArgumentAttr(),
        array.getNameAttr(), array.getRoleAttr(), array.getLayoutAttr(),
        TypeAttr::get(array.getView().getType()));
}

/// Whether a load's tiles go through the operand registers, which hold fewer
/// digits than a 32-bit float.
bool Lowering::feedsProduct(const Delivery &delivery) const {
  return k.product && (&delivery == &k.deliveries[k.product->lhs] ||
                       &delivery == &k.deliveries[k.product->rhs]);
}

/// Whether the vector unit takes a load's tiles, with all their digits.
bool Lowering::isReadByLanes(const Delivery &delivery) const {
  tile::LoadOp load = delivery.load;
  return llvm::any_of(k.roots, [&](const Root &root) {
    return llvm::any_of(root.expression.nodes, [&](const Node &node) { return node.load == load; });
  });
}

Value Lowering::createBuffer(OpBuilder &b, Location loc, StringRef name, Type format,
                             int64_t tiles, int64_t depth, bool direct, bool operand) {
  // Two buffers of one array get different names.
  int64_t earlier = bufferNames[name]++;
  std::string unique = earlier ? (name + "." + Twine(earlier + 1)).str() : name.str();
  return BufferOp::create(b, loc, BufferType::get(b.getContext()), b.getStringAttr(unique),
                          TypeAttr::get(format), b.getI64IntegerAttr(tiles),
                          b.getI64IntegerAttr(depth), direct ? b.getUnitAttr() : UnitAttr(),
                          operand ? b.getUnitAttr() : UnitAttr(), UnitAttr(),
                          IntegerAttr(), IntegerAttr(), IntegerAttr());
}

void Lowering::createBuffers(OpBuilder &b) {
  bool wide = k.program.getPrecisionAttr().getDst().isF32();
  for (Delivery &d : k.deliveries) {
    Type format = d.block.element();
    bool direct = wide && format.isF32() && (isReadByLanes(d) || !feedsProduct(d));
    d.array = arrayOf(d.block.array);
    d.buffer = createBuffer(b, d.load.getLoc(), nameOf(d), format, d.block.tiles(),
                            d.load.getDepth().value_or(1), direct, direct && feedsProduct(d));
  }
  for (Root &root : k.roots)
    for (const Node &node : root.expression.nodes)
      if (isAddedToZeros(k, node) && !buffers.zeros)
        buffers.zeros = createBuffer(b, k.program.getLoc(), "zeros", b.getBF16Type(), 1, 1, false);
  if (plan)
    createPartials(b);
  for (Root &root : k.roots) {
    Departure &out = root.departure;
    out.array = arrayOf(out.block.array);
    // With waves the next result is made while the last is written.
    int64_t depth = 1;
    for (unsigned wave = 0; wave < s.waves(); ++wave)
      depth = s.extent(Schedule::kFirstLoop + wave) > 1 ? 2 : depth;
    out.buffer = createBuffer(b, out.store.getLoc(), out.block.array.getName(), out.block.element(),
                              out.block.tiles(), depth, false);
  }
}

void Lowering::createPartials(OpBuilder &b) {
  Type dst = k.program.getPrecisionAttr().getDst();
  Location loc = k.product->op.getLoc();
  if (plan->needsPartials())
    buffers.partials = createBuffer(b, loc, "partials", dst, plan->rows * plan->columns, 1,
                                    dst.isF32());
  const Delivery &lhs = k.deliveries[k.product->lhs];
  if (k.product->lhsTransposed)
    buffers.exchanged = createBuffer(b, loc, (nameOf(lhs) + ".transposed").str(),
                                     lhs.block.element(), lhs.block.tiles(), 1, false);
}

void Lowering::createSemaphores(OpBuilder &b) {
  for (Delivery &d : k.deliveries)
    if (d.multicast)
      task::createSemaphores(d, b);
}

//===-- Data movers ---------------------------------------------------------//

/// Tiles an engine reads, over the whole launch.
int64_t Lowering::work(Engine engine) const {
  int64_t tiles = 0;
  for (const Delivery &d : k.deliveries) {
    if (d.mover != engine)
      continue;
    int64_t deliveries = 1;
    for (unsigned loop = 0; loop < d.level; ++loop)
      deliveries *= s.extent(Schedule::kFirstLoop + loop);
    tiles += deliveries * d.block.tiles();
  }
  return tiles;
}

Engine Lowering::writer() const {
  return work(Engine::DM0) < work(Engine::DM1) ? Engine::DM0 : Engine::DM1;
}

void Lowering::fillZeros(Emitter &emitter) {
  Value zero = emitter.constant(0);
  emitter.create<ReserveOp>(buffers.zeros, 1);
  emitter.create<FillOp>(buffers.zeros, zero, ValueRange{zero, zero},
                         emitter.builder().getFloatAttr(emitter.builder().getBF16Type(), 0));
  emitter.create<PushOp>(buffers.zeros, 1);
}

void Lowering::emitLevel(Emitter &emitter, Engine engine, unsigned level) {
  for (const Delivery &d : k.deliveries)
    if (d.mover == engine && d.level == level)
      emitDelivery(emitter, s, d);
  auto deeper = [&](const Delivery &d) { return d.mover == engine && d.level > level; };
  bool goesOn = engine == writer() || llvm::any_of(k.deliveries, deeper);
  if (level < s.waves() && goesOn)
    emitter.loopOver(Schedule::kFirstLoop + level, [&] { emitLevel(emitter, engine, level + 1); });
  else if (level == s.waves() && llvm::any_of(k.deliveries, deeper))
    emitter.loopOver(s.chunkCoordinate(), [&] { emitLevel(emitter, engine, level + 1); });
  if (level == s.waves() && engine == writer())
    for (const Root &root : k.roots)
      emitDeparture(emitter, s, root.departure);
}

KernelOp Lowering::createKernel(OpBuilder &b, Engine engine) {
  IntegerAttr network;
  if (engine != Engine::Compute)
    network = b.getI64IntegerAttr(*model.defaultNetwork(engine));
  auto kernel = KernelOp::create(b, k.program.getLoc(),
                                 EngineAttr::get(b.getContext(), engine), network);
  kernel.getBody().emplaceBlock();
  return kernel;
}

FailureOr<ProgramOp> Lowering::run(OpBuilder &builder) {
  program = ProgramOp::create(builder, k.program.getLoc(), k.program.getSymNameAttr(),
                              k.program.getMachineAttr(),
                              builder.getDenseI64ArrayAttr({s.columns(), s.rows()}),
                              k.program.getPrecisionAttr());
  OpBuilder b = OpBuilder::atBlockBegin(&program.getBody().emplaceBlock());
  createArrays(b);
  createBuffers(b);
  createSemaphores(b);
  for (Engine engine : {Engine::DM0, Engine::DM1}) {
    if (!model.defaultNetwork(engine))
      return k.program.emitError("runs on ")
             << model.name() << ", which names no network for " << stringifyEngine(engine);
    if (work(engine) == 0 && engine != writer())
      continue;
    Emitter emitter(s, createKernel(b, engine));
    if (buffers.zeros && engine == writer())
      fillZeros(emitter);
    emitLevel(emitter, engine, 0);
  }
  KernelOp compute = createKernel(b, Engine::Compute);
  emitCompute(k, plan, buffers, compute);
  placeSetups(compute);
  program.walk([](CoreOp core) {
    if (core->use_empty())
      core.erase();
  });
  return program;
}

/// Whether a product takes its operands in parts, and so is one of several.
static bool multipliesParts(tile::ProgramOp program) {
  if (!tile::takesExactOperands(program))
    return false;
  return program
      .walk([](linalg::MatmulOp product) {
        bool wide = llvm::any_of(product.getInputs(),
                                 [](Value operand) { return getElementTypeOrSelf(operand).isF32(); });
        return wide ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Programs of one product or of element-wise operations have a lowering of
/// their own, with products in chunks; all others are lowered as they stand.
FailureOr<ProgramOp> drawloom::task::tileToTask(tile::ProgramOp program, const MachineModel &model,
                                                OpBuilder &builder) {
  // Points in order read what those before them wrote: one mover must do both.
  bool ordered = llvm::any_of(program.getBody().getOps<tile::GridOp>(), [](tile::GridOp grid) {
    return grid.getOrdered() && !grid.getOrdered()->empty();
  });
  // The lowering of its own delivers everything before it stores anything.
  bool inTurn = llvm::any_of(program.getBody().getOps<tile::GridOp>(), tile::readsWhatItWrote);
  if (ordered || inTurn || multipliesParts(program))
    return bodyToTask(program, model, builder);
  std::optional<ScopedDiagnosticHandler> quiet;
  quiet.emplace(program.getContext(), [](Diagnostic &) { return success(); });
  auto kernel = recognise(program, model);
  if (succeeded(kernel)) {
    Lowering lowering(*kernel, model);
    if (lowering.fitsDst()) {
      quiet.reset();
      return lowering.run(builder);
    }
  }
  quiet.reset();
  return bodyToTask(program, model, builder);
}
