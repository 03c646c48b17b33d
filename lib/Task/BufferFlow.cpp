// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffer steps of all engines as processes, run until they end or all wait.

#include "BufferFlow.h"

#include "CoreValue.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <memory>
#include <vector>

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

/// A step, or a loop or branch around some.
struct Item {
  Operation *op;
  unsigned buffer = 0; ///< of a step
  int64_t tiles = 0;
  std::vector<Item> body, otherwise; ///< of a loop, or of a branch's two cases
};
using Items = std::vector<Item>;

struct BufferState {
  BufferOp op;
  int64_t filled = 0;   ///< pushed and not popped
  int64_t reserved = 0; ///< by the producer, and not pushed
  int64_t waited = 0;   ///< by the consumer, and not popped
};

/// One engine's place in its steps. The compute engine is one process: its
/// packer may fall behind its unpacker, which only delays.
struct Process {
  struct Frame {
    const Items *items;
    size_t next = 0;
    scf::ForOp loop; ///< that the items are the body of, if any
    int64_t index = 0, end = 0, step = 0;
  };
  KernelOp kernel;
  CoreValues values;
  SmallVector<Frame, 0> frames;
  Operation *stuckAt = nullptr;
};

/// What became of an engine that was let go on.
enum class Progress { Moved, Stuck, Unknown };

/// The engines of one core.
class CoreFlow {
public:
  CoreFlow(ArrayRef<BufferOp> bufferOps, int64_t x, int64_t y) : x(x), y(y) {
    for (BufferOp op : bufferOps)
      buffers.push_back({op});
  }
  void add(KernelOp kernel, const Items &items) {
    processes.push_back({kernel, CoreValues(x, y), {}});
    processes.back().frames.push_back({&items, 0, {}});
  }
  LogicalResult run();

private:
  /// Runs a process until it waits, ends or depends on data.
  FailureOr<Progress> advance(Process &process);
  /// Takes the next item; false when it has to wait.
  FailureOr<Progress> enter(Process &process, const Item &item);
  bool enterLoop(Process &process, const Item &item);
  FailureOr<Progress> take(const Item &step);
  LogicalResult stuck(ArrayRef<Process *> waiting);
  LogicalResult checkEmpty();

  int64_t x, y;
  std::vector<BufferState> buffers;
  std::vector<Process> processes;
};

/// The steps of all kernels.
class BufferFlow {
public:
  LogicalResult run(ProgramOp program);

private:
  FailureOr<Items> itemsOf(mlir::Block &block);
  FailureOr<Item> stepOf(Operation &op);
  LogicalResult addItems(Operation &op, Items &items);

  llvm::DenseMap<Value, unsigned> indices;
  SmallVector<BufferOp> buffers;
  bool coresDiffer = false;
};

} // namespace

//===-- What there is to run ------------------------------------------------//

static bool sameSteps(const Items &a, const Items &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Item &x, const Item &y) {
    auto control = [](Operation *op) { return isa<scf::ForOp, scf::IfOp>(op); };
    return x.op->getName() == y.op->getName() && x.buffer == y.buffer && x.tiles == y.tiles &&
           (!control(x.op) || llvm::equal(x.op->getOperands(), y.op->getOperands())) &&
           sameSteps(x.body, y.body) && sameSteps(x.otherwise, y.otherwise);
  });
}

FailureOr<Item> BufferFlow::stepOf(Operation &op) {
  unsigned buffer = indices.lookup(op.getOperand(0));
  int64_t tiles = op.getAttrOfType<IntegerAttr>("tiles").getInt();
  int64_t capacity = buffers[buffer].getCapacity();
  if (tiles < 1 || capacity % tiles != 0)
    return op.emitError("moves ")
           << tiles << " tiles of a buffer of " << capacity
           << ": the count must divide the capacity, or a block would wrap around its end";
  return Item{&op, buffer, tiles, {}, {}};
}

LogicalResult BufferFlow::addItems(Operation &op, Items &items) {
  if (isa<ReserveOp, PushOp, WaitOp, PopOp>(op)) {
    FailureOr<Item> step = stepOf(op);
    if (succeeded(step))
      items.push_back(std::move(*step));
    return step;
  }
  if (!isa<scf::ForOp, scf::IfOp, DstOp>(op))
    return success();
  FailureOr<Items> body = itemsOf(op.getRegion(0).front());
  FailureOr<Items> otherwise = Items();
  if (isa<scf::IfOp>(op) && !op.getRegion(1).empty())
    otherwise = itemsOf(op.getRegion(1).front());
  if (failed(body) || failed(otherwise))
    return failure();
  if (isa<DstOp>(op) || (isa<scf::IfOp>(op) && sameSteps(*body, *otherwise))) {
    llvm::append_range(items, *body);
    return success();
  }
  if (body->empty() && otherwise->empty())
    return success();
  coresDiffer |= llvm::any_of(op.getOperands(), dependsOnCore);
  items.push_back({&op, 0, 0, std::move(*body), std::move(*otherwise)});
  return success();
}

FailureOr<Items> BufferFlow::itemsOf(mlir::Block &block) {
  Items items;
  for (Operation &op : block)
    if (failed(addItems(op, items)))
      return failure();
  return items;
}

//===-- Running -------------------------------------------------------------//

FailureOr<Progress> CoreFlow::take(const Item &item) {
  BufferState &buffer = buffers[item.buffer];
  if (isa<ReserveOp>(item.op)) {
    if (buffer.filled + item.tiles > static_cast<int64_t>(buffer.op.getCapacity()))
      return Progress::Stuck;
    buffer.reserved = item.tiles;
  } else if (isa<PushOp>(item.op)) {
    if (buffer.reserved < item.tiles)
      return item.op->emitError("pushes tiles it has not reserved");
    buffer.reserved -= item.tiles;
    buffer.filled += item.tiles;
  } else if (isa<WaitOp>(item.op)) {
    if (buffer.filled < item.tiles)
      return Progress::Stuck;
    buffer.waited = std::max(buffer.waited, item.tiles);
  } else {
    if (buffer.waited < item.tiles)
      return item.op->emitError("pops tiles it has not waited for");
    buffer.waited -= item.tiles;
    buffer.filled -= item.tiles;
  }
  return Progress::Moved;
}

/// False if data decides how often it runs.
bool CoreFlow::enterLoop(Process &process, const Item &item) {
  auto loop = cast<scf::ForOp>(item.op);
  auto low = process.values.evaluate(loop.getLowerBound());
  auto high = process.values.evaluate(loop.getUpperBound());
  auto step = process.values.evaluate(loop.getStep());
  if (!low || !high || !step)
    return false;
  if (*low >= *high)
    return true;
  process.values.bind(loop.getInductionVar(), *low);
  process.frames.push_back({&item.body, 0, loop, *low, *high, *step});
  return true;
}

FailureOr<Progress> CoreFlow::enter(Process &process, const Item &item) {
  if (auto branch = dyn_cast<scf::IfOp>(item.op)) {
    auto condition = process.values.evaluate(branch.getCondition());
    if (!condition)
      return Progress::Unknown;
    process.frames.push_back({*condition ? &item.body : &item.otherwise, 0, {}});
    return Progress::Moved;
  }
  if (isa<scf::ForOp>(item.op))
    return enterLoop(process, item) ? Progress::Moved : Progress::Unknown;
  process.stuckAt = item.op;
  return take(item);
}

FailureOr<Progress> CoreFlow::advance(Process &process) {
  bool moved = false;
  while (!process.frames.empty()) {
    Process::Frame &frame = process.frames.back();
    if (frame.next == frame.items->size()) {
      frame.next = 0;
      frame.index += frame.step;
      if (!frame.loop || frame.index >= frame.end)
        process.frames.pop_back();
      else
        process.values.bind(frame.loop.getInductionVar(), frame.index);
      continue;
    }
    const Item &item = (*frame.items)[frame.next++];
    FailureOr<Progress> entered = enter(process, item);
    if (failed(entered) || *entered == Progress::Unknown)
      return entered;
    if (*entered == Progress::Stuck) {
      --process.frames.back().next;
      return moved ? Progress::Moved : Progress::Stuck;
    }
    moved = true;
  }
  process.stuckAt = nullptr;
  return moved ? Progress::Moved : Progress::Stuck;
}

LogicalResult CoreFlow::stuck(ArrayRef<Process *> waiting) {
  auto error = waiting[0]->stuckAt->emitError("waits for ever: no engine takes a step that would "
                                              "let it go on");
  for (Process *other : waiting.drop_front())
    error.attachNote(other->stuckAt->getLoc())
        << stringifyEngine(other->kernel.getEngine()) << " waits here";
  return error;
}

LogicalResult CoreFlow::checkEmpty() {
  for (BufferState &buffer : buffers)
    if (buffer.filled != 0)
      return buffer.op.emitError("still holds ")
             << buffer.filled << " tiles at the end: its consumer pops fewer than its producer pushes";
  return success();
}

LogicalResult CoreFlow::run() {
  while (true) {
    bool moved = false;
    SmallVector<Process *> waiting;
    for (Process &process : processes) {
      FailureOr<Progress> advanced = advance(process);
      if (failed(advanced))
        return failure();
      if (*advanced == Progress::Unknown)
        return success();
      moved |= *advanced == Progress::Moved;
      if (process.stuckAt)
        waiting.push_back(&process);
    }
    if (waiting.empty())
      return checkEmpty();
    if (!moved)
      return stuck(waiting);
  }
}

LogicalResult BufferFlow::run(ProgramOp program) {
  for (auto buffer : program.getBody().getOps<BufferOp>()) {
    indices[buffer.getBuffer()] = buffers.size();
    buffers.push_back(buffer);
  }
  std::vector<std::pair<KernelOp, Items>> kernels;
  for (auto kernel : program.getBody().getOps<KernelOp>()) {
    FailureOr<Items> items = itemsOf(kernel.getBody().front());
    if (failed(items))
      return failure();
    kernels.push_back({kernel, std::move(*items)});
  }
  int64_t columns = coresDiffer ? program.getColumns() : 1, rows = coresDiffer ? program.getRows() : 1;
  for (int64_t y = 0; y < rows; ++y)
    for (int64_t x = 0; x < columns; ++x) {
      CoreFlow flow(buffers, x, y);
      for (auto &[kernel, items] : kernels)
        flow.add(kernel, items);
      if (failed(flow.run()))
        return failure();
    }
  return success();
}

LogicalResult drawloom::task::verifyBufferFlow(ProgramOp program) { return BufferFlow().run(program); }
