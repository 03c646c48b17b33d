// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of a program: arrays, buffers, semaphores and fixed costs.
#include "CompileProgram.h"

#include "drawloom/Sim/SimError.h"

using namespace mlir;
using namespace drawloom::task;

namespace drawloom::sim {

FailureOr<Time> Compilation::cost(Operation *op, std::optional<double> cycles,
                                  const Twine &name) {
  if (cycles)
    return toTicks(*cycles);
  return emitSimError(op->getLoc(), SimErrorKind::Config)
         << "machine '" << model.name() << "' states no cost of " << name
         << "; add it to the machine file";
}

FailureOr<Time> Compilation::cost(Operation *op, Cost kind) {
  return cost(op, model.cycles(kind), "'" + stringifyCost(kind) + "'");
}

int Compilation::location(Location location) {
  if (program.locations.empty() || program.locations.back() != location)
    program.locations.push_back(location);
  return program.locations.size() - 1;
}

int Compilation::setUp(const std::string &text) {
  auto [entry, isNew] = setUps.try_emplace(text, setUps.size());
  if (isNew)
    program.setUps.push_back(text);
  return entry->second;
}

/// The formats computed on, and in scratch, where nothing is computed, all
/// integers.
static bool isModelled(Format format, bool scratch) {
  switch (format) {
  case Format::BF16:
  case Format::FP32:
  case Format::I32:
    return true;
  case Format::I64:
  case Format::U16:
  case Format::I8:
  case Format::U8:
    return scratch;
  default:
    return false;
  }
}

static LogicalResult addArray(Compilation &c, ArrayOp op) {
  if (!formatOf(op.getElementType()))
    return emitSimError(op.getLoc(), SimErrorKind::Unmodelled)
           << "array '" << op.getName() << "' has elements of type "
           << op.getElementType() << ", which no memory format holds";
  MemRefType view = op.getViewType();
  auto [strides, offset] = view.getStridesAndOffset();
  if (!view.hasStaticShape() || ShapedType::isDynamic(offset) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return emitSimError(op.getLoc(), SimErrorKind::Unmodelled)
           << "array '" << op.getName()
           << "' has a dynamic view; shapes, strides and offset must be known";
  auto rows = dyn_cast<tile::RowsAttr>(op.getLayout());
  c.arrays[op.getArray()] = c.program.arrays.size();
  c.program.arrays.push_back(
      {op.getName().str(), view, op.getRole() != tile::Role::In,
       rows ? rows.getElements() : 0, op.getPageCount(), op.getPageBytes(),
       *elementBytes(*formatOf(op.getElementType()))});
  return success();
}

static LogicalResult addBuffer(Compilation &c, BufferOp op) {
  std::optional<Format> format = formatOf(op.getFormat());
  if (!format || !isModelled(*format, op.getScratch()))
    return emitSimError(op.getLoc(), SimErrorKind::Unmodelled)
           << "buffer '" << op.getName() << "' holds tiles of "
           << op.getFormat() << "; the simulator knows bf16, f32 and i32, and "
           << "other integers in scratch";
  int64_t address = *op.getAddress(), end = address + op.getBytes();
  const Memory &l1 = c.model.local();
  if (address < l1.reserved || end > l1.size)
    return emitSimError(op.getLoc(), SimErrorKind::Undefined)
           << "buffer '" << op.getName() << "' takes bytes " << address
           << " to " << end << " of L1; programs have " << l1.reserved << " to "
           << l1.size;
  c.buffers[op.getBuffer()] = c.program.buffers.size();
  c.program.buffers.push_back({op.getName().str(),
                               *format,
                               op.getDirect(),
                               op.getOperand(),
                               op.getScratch(),
                               op.getCapacity(),
                               op.getTileBytes(),
                               address,
                               c.program.slots,
                               {}});
  c.program.slots += op.getCapacity();
  return success();
}

static void findOverlaps(std::vector<BufferInfo> &buffers) {
  auto end = [](const BufferInfo &b) {
    return b.address + b.capacity * b.tileBytes;
  };
  for (BufferInfo &a : buffers)
    for (auto [index, b] : llvm::enumerate(buffers))
      if (&a != &b && a.address < end(b) && b.address < end(a))
        a.overlapping.push_back(index);
}

/// Checks that the program is one for this machine.
static LogicalResult checkMachine(ProgramOp source, const MachineModel &model) {
  auto refuse = [&] {
    return emitSimError(source.getLoc(), SimErrorKind::Config);
  };
  if (source.getMachine() != model.name())
    return refuse() << "the program is for machine '" << source.getMachine()
                    << "', not '" << model.name() << "'";
  int64_t columns = model.dims()[0].size;
  int64_t rows = model.coreCount() / columns;
  if (source.getColumns() > columns || source.getRows() > rows)
    return refuse() << "a grid of " << source.getColumns() << "x"
                    << source.getRows() << " does not fit the machine's "
                    << columns << "x" << rows << " cores";
  if (!model.hasMemories() || !model.hasBanks() || !model.clockGHz())
    return refuse() << "machine '" << model.name()
                    << "' needs a clock, a local and a global memory to be "
                       "simulated";
  if (!source.isPhysical())
    return refuse() << "only the physical state runs: every buffer needs an id "
                       "and an address, every semaphore an id, every register "
                       "a slot";
  return success();
}

static LogicalResult addCosts(Compilation &c) {
  struct {
    Cost cost;
    Time &ticks;
  } const wanted[] = {
      {Cost::Launch, c.program.launch},
      {Cost::MulticastUnlinked, c.program.multicastSetUp},
      {Cost::SemaphoreApply, c.program.semaphoreApply},
      {Cost::SemaphoreSet, c.program.semaphoreSet},
      {Cost::Write, c.program.write},
  };
  for (auto [cost, ticks] : wanted) {
    FailureOr<Time> known = c.cost(c.source, cost);
    if (failed(known))
      return failure();
    ticks = *known;
  }
  return success();
}

static LogicalResult addTables(Compilation &c) {
  for (Operation &op : c.source.getBody().front()) {
    if (auto array = dyn_cast<ArrayOp>(op)) {
      if (failed(addArray(c, array)))
        return failure();
    } else if (auto buffer = dyn_cast<BufferOp>(op)) {
      if (failed(addBuffer(c, buffer)))
        return failure();
    } else if (auto semaphore = dyn_cast<SemaphoreOp>(op)) {
      c.semaphores[semaphore.getSemaphore()] = c.program.semaphores.size();
      c.program.semaphores.push_back(semaphore.getName().str());
    }
  }
  findOverlaps(c.program.buffers);
  return success();
}

/// A buffer's pointers are private to their thread: two producers (or
/// consumers) would each move a pointer of their own.
static LogicalResult checkOwners(ProgramOp source) {
  for (auto buffer : source.getBody().getOps<BufferOp>()) {
    KernelOp producer, consumer;
    for (Operation *user : buffer.getBuffer().getUsers()) {
      auto kernel = user->getParentOfType<KernelOp>();
      bool produces = isa<ReserveOp, PushOp>(user);
      if (!produces && !isa<WaitOp, PopOp>(user))
        continue;
      KernelOp &owner = produces ? producer : consumer;
      if (owner && owner != kernel)
        return emitSimError(user->getLoc(), SimErrorKind::Undefined)
               << "buffer '" << buffer.getName() << "' has two "
               << (produces ? "producers" : "consumers") << ", engines "
               << stringifyEngine(owner.getEngine()) << " and "
               << stringifyEngine(kernel.getEngine());
      owner = kernel;
    }
  }
  return success();
}

static LogicalResult compileKernels(Compilation &c) {
  for (auto kernel : c.source.getBody().getOps<KernelOp>()) {
    SmallVector<SimThread, 2> threads;
    if (kernel.getEngine() == Engine::Compute)
      threads = {SimThread::Math, SimThread::Pack};
    else
      threads = {kernel.getEngine() == Engine::DM0 ? SimThread::DM0
                                                   : SimThread::DM1};
    for (SimThread thread : threads) {
      Code &code = c.program.codes[static_cast<size_t>(thread)].emplace();
      if (failed(compileKernel(c, kernel, thread, code)))
        return failure();
    }
  }
  return success();
}

FailureOr<Program> compileProgram(ProgramOp source, const MachineModel &model) {
  if (failed(checkMachine(source, model)) || failed(checkOwners(source)))
    return failure();
  Program program;
  program.columns = source.getColumns();
  program.rows = source.getRows();
  tile::PrecisionAttr precision = source.getPrecision();
  program.fidelity = precision.getFidelity();
  program.dstWidth = source.isDst32() ? DstWidth::Bits32 : DstWidth::Bits16;
  std::optional<int64_t> dstTiles = model.dstTiles(source.isDst32());
  if (!dstTiles)
    return emitSimError(source.getLoc(), SimErrorKind::Config)
           << "machine '" << model.name() << "' does not state how many tiles "
           << "a half of Dst holds";
  program.dstTiles = *dstTiles;
  Compilation compilation(source, model, program);
  if (failed(addTables(compilation)) || failed(addCosts(compilation)) ||
      failed(compileKernels(compilation)))
    return failure();
  return program;
}

} // namespace drawloom::sim
