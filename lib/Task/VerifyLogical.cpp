// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract of the logical state.

#include "drawloom/Task/TaskPasses.h"

#include "BufferFlow.h"
#include "CoreValue.h"
#include "DstSlots.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {
/// The first operation of each side of a buffer.
struct Sides {
  Operation *producer = nullptr, *consumer = nullptr;
};
} // namespace

/// Pointers of a circular buffer belong to one engine each.
static LogicalResult verifyOwner(Operation *op, Operation *&owner, StringRef role) {
  if (!owner)
    owner = op;
  auto engineOf = [](Operation *o) { return o->getParentOfType<KernelOp>().getEngine(); };
  if (engineOf(op) == engineOf(owner))
    return success();
  auto error = op->emitError("makes ")
               << stringifyEngine(engineOf(op)) << " a second " << role << " of its buffer";
  error.attachNote(owner->getLoc()) << stringifyEngine(engineOf(owner)) << " is the first, here";
  return error;
}

/// Scratch belongs to one data mover, and nothing tells of what is in it.
static LogicalResult verifyScratch(BufferOp buffer) {
  Operation *first = nullptr;
  SmallVector<Operation *> users(buffer->getUsers());
  for (Operation *op : llvm::reverse(users)) {
    if (isa<ReserveOp, PushOp, WaitOp, PopOp, MulticastOp>(op))
      return op->emitError("has buffer ") << buffer.getName()
             << ", which is `scratch`: its tiles are the engine's own and pass to no other";
    auto kernel = op->getParentOfType<KernelOp>();
    if (kernel.getEngine() == Engine::Compute)
      return op->emitError("has buffer ") << buffer.getName()
             << ", which is `scratch`: only data movers work in place";
    if (!first)
      first = op;
    if (first->getParentOfType<KernelOp>() == kernel)
      continue;
    auto error = op->emitError("makes ") << stringifyEngine(kernel.getEngine())
                                         << " a second user of scratch buffer " << buffer.getName();
    error.attachNote(first->getLoc())
        << stringifyEngine(first->getParentOfType<KernelOp>().getEngine()) << " is the first, here";
    return error;
  }
  return success();
}

static LogicalResult verifySides(ProgramOp program) {
  for (auto buffer : program.getBody().getOps<BufferOp>()) {
    if (buffer.getScratch()) {
      if (failed(verifyScratch(buffer)))
        return failure();
      continue;
    }
    Sides sides;
    SmallVector<Operation *> users(buffer->getUsers());
    for (Operation *op : llvm::reverse(users)) {
      if (isa<ReserveOp, PushOp>(op) && failed(verifyOwner(op, sides.producer, "producer")))
        return failure();
      if (isa<WaitOp, PopOp>(op) && failed(verifyOwner(op, sides.consumer, "consumer")))
        return failure();
    }
    if (!sides.producer || !sides.consumer)
      return buffer.emitError("has no ") << (sides.producer ? "consumer" : "producer")
             << ": one engine pushes to a buffer and one pops from it";
  }
  return success();
}

/// The buffer of the delivery that `op` is part of: the one reserved last
/// before it.
static Value deliveredBuffer(Operation *op) {
  for (; op && !isa<KernelOp>(op); op = op->getParentOp())
    for (Operation *before = op; before; before = before->getPrevNode())
      if (auto reserve = dyn_cast<ReserveOp>(before))
        return reserve.getBuffer();
  return {};
}

/// A counter that two multicasts add to tells neither when to go on.
static LogicalResult verifySemaphores(ProgramOp program) {
  for (auto semaphore : program.getBody().getOps<SemaphoreOp>()) {
    Operation *first = nullptr;
    SmallVector<Operation *> users(semaphore->getUsers());
    for (Operation *op : llvm::reverse(users)) {
      if (!first) {
        first = op;
        continue;
      }
      bool together = op->getParentOfType<KernelOp>() == first->getParentOfType<KernelOp>() &&
                      deliveredBuffer(op) == deliveredBuffer(first);
      if (together)
        continue;
      auto error = op->emitError("uses the semaphore of another multicast: give each its own");
      error.attachNote(first->getLoc()) << "which uses it here";
      return error;
    }
  }
  return success();
}

/// Checks the rectangle of `op` on every core that runs it.
static LogicalResult verifyRectangle(ProgramOp program, Operation *op, ValueRange to,
                                     std::optional<int64_t> receivers) {
  for (int64_t y = 0; y < program.getRows(); ++y)
    for (int64_t x = 0; x < program.getColumns(); ++x) {
      CoreValues values(x, y);
      if (!values.mayRun(op))
        continue;
      SmallVector<int64_t> box;
      for (Value value : to)
        if (auto known = values.evaluate(value))
          box.push_back(*known);
      if (box.size() != 4)
        return op->emitError("has a rectangle that is not a function of the core");
      if (box[0] > box[2] || box[1] > box[3] || box[0] < 0 || box[1] < 0 ||
          box[2] >= program.getColumns() || box[3] >= program.getRows())
        return op->emitError("reaches beyond the grid's ")
               << program.getColumns() << " x " << program.getRows() << " cores: on core (" << x
               << ", " << y << ") its rectangle is (" << box[0] << ", " << box[1] << ") to ("
               << box[2] << ", " << box[3] << ")";
      bool inside = box[0] <= x && x <= box[2] && box[1] <= y && y <= box[3];
      int64_t cores = (box[2] - box[0] + 1) * (box[3] - box[1] + 1) - inside;
      if (receivers && *receivers != cores)
        return op->emitError("states ") << *receivers << " receivers, but on core (" << x << ", "
               << y << ") its rectangle holds " << cores << " others";
    }
  return success();
}

static LogicalResult verifyRectangles(ProgramOp program) {
  WalkResult result = program.walk([&](Operation *op) {
    if (auto multicast = dyn_cast<MulticastOp>(op))
      return WalkResult(verifyRectangle(program, op, multicast.getTo(), multicast.getReceivers()));
    if (auto publish = dyn_cast<PublishOp>(op))
      return WalkResult(verifyRectangle(program, op, publish.getTo(), publish.getReceivers()));
    if (auto signal = dyn_cast<SignalOp>(op))
      return WalkResult(verifyRectangle(program, op, signal.getTo(), std::nullopt));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyDst(ProgramOp program, const MachineModel &model) {
  std::optional<int64_t> capacity = model.dstTiles(program.isDst32());
  if (!capacity)
    return program.emitError("runs on ") << model.name() << ", which states no size of Dst";
  WalkResult result = program.walk([&](DstOp dst) {
    int64_t tiles = placeRegisters(dst).tiles;
    if (tiles <= *capacity)
      return WalkResult::advance();
    return WalkResult(dst.emitError("has ")
                      << tiles << " live tiles; a half of Dst holds " << *capacity << " of "
                      << program.getPrecision().getDst() << ": use smaller blocks");
  });
  return failure(result.wasInterrupted());
}

LogicalResult drawloom::task::verifyLogical(ProgramOp program, const MachineModel &model) {
  return failure(failed(verifySides(program)) || failed(verifyBufferFlow(program)) ||
                 failed(verifySemaphores(program)) || failed(verifyRectangles(program)) ||
                 failed(verifyDst(program, model)));
}
