// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares a body, decides what is buffered, lays it out and writes the engines'
// kernels.

#include "BodyToTask.h"

#include "../Compute.h"
#include "Compared.h"
#include "Heads.h"
#include "Layout.h"
#include "Prepare.h"
#include "Walk.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static llvm::DenseMap<Value, Value> createArrays(tile::ProgramOp program, OpBuilder &b) {
  llvm::DenseMap<Value, Value> arrays;
  for (auto array : program.getBody().getOps<tile::ArrayOp>())
    arrays[array.getView()] =
        ArrayOp::create(b, array.getLoc(), ArrayType::get(b.getContext()), array.getArgumentAttr(),
                        array.getNameAttr(), array.getRoleAttr(), array.getLayoutAttr(),
                        TypeAttr::get(array.getView().getType()));
  return arrays;
}

/// Tiles a mover reads, as far as loops are known.
static int64_t work(const Body &body, Engine engine) {
  int64_t tiles = 0;
  for (const Delivery &d : body.deliveries) {
    int64_t times = 1;
    for (unsigned c : d.around)
      times *= std::min<int64_t>(body.schedule->extent(c), 1 << 16);
    tiles += d.mover == engine ? times * d.block.tiles() : 0;
  }
  return tiles;
}

static FailureOr<tile::GridOp> onlyGrid(tile::ProgramOp program) {
  tile::GridOp grid;
  for (auto next : program.getBody().getOps<tile::GridOp>()) {
    if (grid)
      return next.emitError("is the second grid of its program: cores have no barrier between "
                            "grids; make each a program, launched in order");
    grid = next;
  }
  if (!grid)
    return program.emitError("has no grid: there is nothing to run");
  return grid;
}

static KernelOp createKernel(OpBuilder &b, Location loc, Engine engine, const MachineModel &model) {
  IntegerAttr network;
  if (engine != Engine::Compute)
    network = b.getI64IntegerAttr(*model.defaultNetwork(engine));
  auto kernel = KernelOp::create(b, loc, EngineAttr::get(b.getContext(), engine), network);
  kernel.getBody().emplaceBlock();
  return kernel;
}

static FailureOr<ProgramOp> lower(tile::ProgramOp source, const MachineModel &model, OpBuilder &builder) {
  auto grid = onlyGrid(source);
  if (failed(grid))
    return failure();
  bool wide = source.getPrecisionAttr().getDst().isF32();
  std::optional<int64_t> dstTiles = model.dstTiles(wide);
  if (!dstTiles)
    return source.emitError("runs on ") << model.name() << ", which states no size of Dst";
  if (tile::takesExactOperands(source)) {
    if (!model.matrixNumbers())
      return source.emitError("asks for exact operands on ")
             << model.name() << ", which does not state how its matrix unit handles numbers";
    if (failed(takeOperandsWhole(*grid, ExactParts(*model.matrixNumbers()))))
      return failure();
  }
  ExactOps exact = prepareBody(*grid);
  keepComparedExtrema(*grid, exact);
  if (tile::takesExactOperands(source))
    reduceWhole(*grid, exact);
  auto schedule = Schedule::createNest(*grid, model);
  if (failed(schedule))
    return failure();
  Forms forms(*grid);
  if (failed(checkHeads(*grid, forms)))
    return failure();
  Demands demands(*grid, *schedule, forms, std::move(exact), *dstTiles);
  if (failed(demands.settle()))
    return failure();
  auto program = ProgramOp::create(builder, source.getLoc(), source.getSymNameAttr(), source.getMachineAttr(),
                                   builder.getDenseI64ArrayAttr({schedule->columns(), schedule->rows()}),
                                   source.getPrecisionAttr());
  OpBuilder b = OpBuilder::atBlockBegin(&program.getBody().emplaceBlock());
  auto arrays = createArrays(source, b);
  auto body = layOut(*grid, *schedule, forms, demands, model, wide, arrays, b);
  if (failed(body))
    return failure();
  if (body->departures.empty())
    return grid->emitError("stores nothing");
  Engine lighter = work(*body, Engine::DM0) < work(*body, Engine::DM1) ? Engine::DM0 : Engine::DM1;
  Engine writer = body->writer.value_or(lighter);
  for (Engine engine : {Engine::DM0, Engine::DM1}) {
    if (!model.defaultNetwork(engine))
      return source.emitError("runs on ")
             << model.name() << ", which names no network for " << stringifyEngine(engine);
    Emitter emitter(*schedule, createKernel(b, source.getLoc(), engine, model));
    emitMover(*body, emitter, engine, engine == writer);
  }
  KernelOp compute = createKernel(b, source.getLoc(), Engine::Compute, model);
  Emitter emitter(*schedule, compute);
  emitCompute(*body, emitter, *dstTiles);
  placeSetups(compute);
  program.walk([](CoreOp core) {
    if (core->use_empty())
      core.erase();
  });
  return program;
}

FailureOr<ProgramOp> drawloom::task::bodyToTask(tile::ProgramOp program, const MachineModel &model,
                                                OpBuilder &builder) {
  if (!program.getMachineAttr() || !program.getPrecisionAttr())
    return program.emitError("is not mapped: it names no machine or no precision; plan it first");
  // The program stays what it was: the copy is prepared.
  auto copy = cast<tile::ProgramOp>(program->clone());
  auto result = lower(copy, model, builder);
  copy->erase();
  return result;
}
