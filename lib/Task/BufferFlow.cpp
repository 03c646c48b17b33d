// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffer steps of all engines as processes, run until they end or all wait.

#include "BufferFlow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <memory>
#include <vector>

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

/// A step, or a loop of them.
struct Item {
  Operation *step = nullptr; ///< null for a loop
  unsigned buffer = 0;
  int64_t tiles = 0;
  int64_t trips = 1;
  std::vector<Item> body;
};

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
    const std::vector<Item> *items;
    size_t next = 0;
    int64_t tripsLeft = 1;
  };
  KernelOp kernel;
  std::vector<Item> items;
  std::vector<Frame> frames;
  Operation *stuckAt = nullptr;
};

class BufferFlow {
public:
  LogicalResult run(ProgramOp program);

private:
  FailureOr<std::vector<Item>> itemsOf(mlir::Block &block);
  LogicalResult addLoop(scf::ForOp loop, std::vector<Item> &items);
  LogicalResult addBranch(scf::IfOp branch, std::vector<Item> &items);
  /// Runs a process until it waits or ends; whether it did anything.
  FailureOr<bool> advance(Process &process);
  /// Takes a step; false when it has to wait.
  FailureOr<bool> take(const Item &item);
  LogicalResult stuck(ArrayRef<Process *> waiting);
  LogicalResult checkEmpty();

  llvm::DenseMap<Value, unsigned> indices;
  std::vector<BufferState> buffers;
  std::vector<Process> processes;
};

} // namespace

static bool sameSteps(const std::vector<Item> &a, const std::vector<Item> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Item &x, const Item &y) {
    bool bothLoops = !x.step && !y.step;
    bool alike = x.step && y.step && x.step->getName() == y.step->getName();
    return (bothLoops || alike) && x.buffer == y.buffer && x.tiles == y.tiles &&
           x.trips == y.trips && sameSteps(x.body, y.body);
  });
}

LogicalResult BufferFlow::addLoop(scf::ForOp loop, std::vector<Item> &items) {
  auto body = itemsOf(*loop.getBody());
  if (failed(body))
    return failure();
  if (body->empty())
    return success();
  APInt low, high, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&high)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return loop.emitError("moves tiles through buffers a number of times that is not constant: "
                          "cores would fall out of step");
  int64_t trips = llvm::divideCeil(std::max<int64_t>(0, high.getSExtValue() - low.getSExtValue()),
                                   step.getSExtValue());
  Item item;
  item.trips = trips;
  item.body = std::move(*body);
  if (trips > 0)
    items.push_back(std::move(item));
  return success();
}

LogicalResult BufferFlow::addBranch(scf::IfOp branch, std::vector<Item> &items) {
  auto then = itemsOf(*branch.thenBlock());
  FailureOr<std::vector<Item>> otherwise = std::vector<Item>();
  if (branch.elseBlock())
    otherwise = itemsOf(*branch.elseBlock());
  if (failed(then) || failed(otherwise))
    return failure();
  if (!sameSteps(*then, *otherwise))
    return branch.emitError("moves tiles through buffers in one case only: engines would fall out "
                            "of step; push and pop in both cases");
  items.insert(items.end(), then->begin(), then->end());
  return success();
}

FailureOr<std::vector<Item>> BufferFlow::itemsOf(mlir::Block &block) {
  std::vector<Item> items;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (failed(addLoop(loop, items)))
        return failure();
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (failed(addBranch(branch, items)))
        return failure();
    } else if (auto dst = dyn_cast<DstOp>(op)) {
      auto inner = itemsOf(dst.getBody().front());
      if (failed(inner))
        return failure();
      items.insert(items.end(), inner->begin(), inner->end());
    } else if (isa<ReserveOp, PushOp, WaitOp, PopOp>(op)) {
      Item item;
      item.step = &op;
      item.buffer = indices.lookup(op.getOperand(0));
      item.tiles = op.getAttrOfType<IntegerAttr>("tiles").getInt();
      int64_t capacity = buffers[item.buffer].op.getCapacity();
      if (item.tiles < 1 || capacity % item.tiles != 0)
        return op.emitError("moves ")
               << item.tiles << " tiles of a buffer of " << capacity
               << ": the count must divide the capacity, or a block would wrap around its end";
      items.push_back(std::move(item));
    }
  }
  return items;
}

FailureOr<bool> BufferFlow::take(const Item &item) {
  BufferState &buffer = buffers[item.buffer];
  if (isa<ReserveOp>(item.step)) {
    if (buffer.filled + item.tiles > static_cast<int64_t>(buffer.op.getCapacity()))
      return false;
    buffer.reserved = item.tiles;
  } else if (isa<PushOp>(item.step)) {
    if (buffer.reserved < item.tiles)
      return item.step->emitError("pushes tiles it has not reserved");
    buffer.reserved -= item.tiles;
    buffer.filled += item.tiles;
  } else if (isa<WaitOp>(item.step)) {
    if (buffer.filled < item.tiles)
      return false;
    buffer.waited = std::max(buffer.waited, item.tiles);
  } else {
    if (buffer.waited < item.tiles)
      return item.step->emitError("pops tiles it has not waited for");
    buffer.waited -= item.tiles;
    buffer.filled -= item.tiles;
  }
  return true;
}

FailureOr<bool> BufferFlow::advance(Process &process) {
  bool moved = false;
  while (!process.frames.empty()) {
    Process::Frame &frame = process.frames.back();
    if (frame.next == frame.items->size()) {
      frame.next = 0;
      if (--frame.tripsLeft == 0)
        process.frames.pop_back();
      continue;
    }
    const Item &item = (*frame.items)[frame.next];
    if (!item.step) {
      ++frame.next;
      process.frames.push_back({&item.body, 0, item.trips});
      continue;
    }
    auto taken = take(item);
    if (failed(taken))
      return failure();
    process.stuckAt = item.step;
    if (!*taken)
      return moved;
    moved = true;
    ++frame.next;
  }
  process.stuckAt = nullptr;
  return moved;
}

LogicalResult BufferFlow::stuck(ArrayRef<Process *> waiting) {
  auto error = waiting[0]->stuckAt->emitError("waits for ever: no engine takes a step that would "
                                              "let it go on");
  for (Process *other : waiting.drop_front())
    error.attachNote(other->stuckAt->getLoc())
        << stringifyEngine(other->kernel.getEngine()) << " waits here";
  return error;
}

LogicalResult BufferFlow::checkEmpty() {
  for (BufferState &buffer : buffers)
    if (buffer.filled != 0)
      return buffer.op.emitError("still holds ")
             << buffer.filled << " tiles at the end: its consumer pops fewer than its producer pushes";
  return success();
}

LogicalResult BufferFlow::run(ProgramOp program) {
  for (auto buffer : program.getBody().getOps<BufferOp>()) {
    indices[buffer.getBuffer()] = buffers.size();
    buffers.push_back({buffer});
  }
  for (auto kernel : program.getBody().getOps<KernelOp>()) {
    auto items = itemsOf(kernel.getBody().front());
    if (failed(items))
      return failure();
    Process process;
    process.kernel = kernel;
    process.items = std::move(*items);
    processes.push_back(std::move(process));
  }
  for (Process &process : processes)
    process.frames.push_back({&process.items});
  while (true) {
    bool moved = false;
    SmallVector<Process *> waiting;
    for (Process &process : processes) {
      auto advanced = advance(process);
      if (failed(advanced))
        return failure();
      moved |= *advanced;
      if (process.stuckAt)
        waiting.push_back(&process);
    }
    if (waiting.empty())
      return checkEmpty();
    if (!moved)
      return stuck(waiting);
  }
}

LogicalResult drawloom::task::verifyBufferFlow(ProgramOp program) { return BufferFlow().run(program); }
