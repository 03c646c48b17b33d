// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffer steps and the data movers' operations to instructions.
#include "KernelCompiler.h"

#include "drawloom/Sim/SimError.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom::task;

namespace drawloom::sim {

LogicalResult KernelCompiler::compileEffect(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<ReserveOp, PushOp, WaitOp, PopOp>(
          [&](auto step) { return compileBufferStep(*step); })
      .Case([&](ReadOp read) {
        return compileTransfer(op, read.getArray(), read.getBuffer(),
                               read.getPage(), read.getSlot(), read.getPart(),
                               Op::Read, Side::Producer, Cost::ReadInterleaved);
      })
      .Case([&](WriteOp write) {
        return compileTransfer(op, write.getArray(), write.getBuffer(),
                               write.getPage(), write.getSlot(),
                               write.getPart(), Op::Write, Side::Consumer,
                               Cost::WriteInterleaved);
      })
      .Case([&](FenceOp fence) { return compileFence(fence); })
      .Case([&](FillOp fill) { return compileFill(fill); })
      .Case([&](IotaOp iota) { return compileIota(iota); })
      .Case([&](PlaceOp place) { return compilePlace(place); })
      .Case([&](LiftOp lift) { return compileLift(lift); })
      .Case([&](PeekOp peek) { return compilePeek(peek); })
      .Case([&](MulticastOp multicast) { return compileMulticast(multicast); })
      .Case([&](SignalOp signal) { return compileSignal(signal); })
      .Case([&](PublishOp publish) { return compilePublish(publish); })
      .Case([&](AwaitOp await) { return compileAwait(await); })
      .Case([&](DstOp dst) { return compileDst(dst); })
      .Default([&](Operation *) { return compileMath(op); });
}

FailureOr<Side> KernelCompiler::sideOf(Operation &op, Value buffer,
                                       Side preferred) {
  if (infoOf(buffer).scratch)
    return preferred; // it has one side only
  bool produces = false, consumes = false;
  for (Operation *user : buffer.getUsers())
    if (user->getParentOfType<KernelOp>() == kernel) {
      produces |= isa<ReserveOp, PushOp>(user);
      consumes |= isa<WaitOp, PopOp>(user);
    }
  if (produces && consumes)
    return preferred;
  if (produces)
    return Side::Producer;
  if (consumes)
    return Side::Consumer;
  return emitSimError(op.getLoc(), SimErrorKind::Undefined)
         << "buffer '" << infoOf(buffer).name << "' is neither reserved nor "
         << "waited for by this engine, so its slots are not this engine's";
}

//===--- Buffers ----------------------------------------------------------===//

LogicalResult KernelCompiler::compileBufferStep(Operation &op) {
  struct Step {
    Op kind;
    Cost mover, compute;
    bool paysFirst; // what it does is seen when it has been paid for
  };
  Step step =
      llvm::TypeSwitch<Operation *, Step>(&op)
          .Case([](ReserveOp) {
            return Step{Op::Reserve, Cost::MoverReserve, Cost::ComputeReserve,
                        false};
          })
          .Case([](PushOp) {
            return Step{Op::Push, Cost::MoverPush, Cost::ComputePush, true};
          })
          .Case([](WaitOp) {
            return Step{Op::Wait, Cost::MoverWait, Cost::ComputeWait, false};
          })
          .Default([](Operation *) {
            return Step{Op::Pop, Cost::MoverPop, Cost::ComputePop, true};
          });
  Value buffer = op.getOperand(0);
  int64_t tiles = cast<IntegerAttr>(op.getAttr("tiles")).getInt();
  const BufferInfo &info = infoOf(buffer);
  if (tiles < 1 || tiles > info.capacity)
    return emitSimError(op.getLoc(), SimErrorKind::Undefined)
           << op.getName() << " of " << tiles << " tiles of buffer '"
           << info.name << "', which holds " << info.capacity;
  FailureOr<Time> cost = c.cost(&op, isMover() ? step.mover : step.compute);
  if (failed(cost))
    return failure();
  // A buffer of two ids takes the step for both.
  if (info.operand)
    *cost *= 2;
  if (step.paysFirst)
    delay(*cost, op);
  Instruction &instruction = emit(step.kind, op);
  instruction.object = bufferOf(buffer);
  instruction.imm = tiles;
  instruction.cost = step.paysFirst ? 0 : *cost;
  return success();
}

//===--- Data movers ------------------------------------------------------===//

LogicalResult KernelCompiler::compileTransfer(Operation &op, Value array,
                                              Value buffer, Value page,
                                              Value slot, ValueRange part,
                                              Op kind, Side side, Cost issue) {
  int arrayIndex = c.arrays.lookup(array);
  const ArrayInfo &info = c.program.arrays[arrayIndex];
  if (part.empty() && info.pageBytes > infoOf(buffer).tileBytes)
    return emitSimError(op.getLoc(), SimErrorKind::Undefined)
           << "a page of array '" << info.name << "' is " << info.pageBytes
           << " bytes, a tile of buffer '" << infoOf(buffer).name << "' "
           << infoOf(buffer).tileBytes << "; name the part to move";
  if (kind == Op::Write && !info.written)
    return emitSimError(op.getLoc(), SimErrorKind::Undefined)
           << "array '" << info.name << "' is only read by its role `in`";
  FailureOr<Side> owned = sideOf(op, buffer, side);
  FailureOr<Time> cost = c.cost(&op, issue);
  if (failed(owned) || failed(cost))
    return failure();
  Instruction &instruction = emit(kind, op);
  instruction.object = arrayIndex;
  instruction.imm = bufferOf(buffer);
  instruction.flags = static_cast<uint8_t>(*owned);
  instruction.cost = *cost; // of each packet
  instruction.r[0] = registerOf(page);
  instruction.r[1] = registerOf(slot);
  if (part.empty())
    return success();
  instruction.flags |= kPartFlag;
  // Always byte in the page, byte in the tile, bytes.
  bool toPage = kind == Op::Write;
  instruction.r[2] = registerOf(part[toPage ? 1 : 0]);
  instruction.r[3] = registerOf(part[toPage ? 0 : 1]);
  instruction.r[4] = registerOf(part[2]);
  return success();
}

LogicalResult KernelCompiler::compileFence(FenceOp op) {
  FailureOr<Time> cost = c.cost(op, Cost::Barrier);
  if (failed(cost))
    return failure();
  Op kind = op.getTransfers() == Transfers::Reads    ? Op::FenceReads
            : op.getTransfers() == Transfers::Writes ? Op::FenceWrites
                                                     : Op::FenceSent;
  emit(kind, *op).cost = *cost;
  return success();
}

/// The bits of a buffer element.
static int64_t elementBits(Attribute value) {
  if (auto real = dyn_cast<FloatAttr>(value))
    return real.getValue().bitcastToAPInt().getZExtValue();
  return cast<IntegerAttr>(value).getValue().getZExtValue();
}

LogicalResult KernelCompiler::compileFill(FillOp op) {
  FailureOr<Side> side = sideOf(*op, op.getBuffer(), Side::Producer);
  FailureOr<Time> cost = c.cost(op, Cost::MoverStore);
  if (failed(side) || failed(cost))
    return failure();
  Instruction &instruction = emit(Op::Fill, *op);
  instruction.object = bufferOf(op.getBuffer());
  instruction.flags = static_cast<uint8_t>(*side);
  instruction.r[0] = registerOf(op.getSlot());
  for (auto [index, keep] : llvm::enumerate(op.getKeep()))
    instruction.r[1 + index] = registerOf(keep);
  if (op.getKeep().size() == 2)
    instruction.flags |= kPartFlag;
  instruction.imm = elementBits(op.getValue());
  instruction.cost = *cost; // of each word stored
  return success();
}

LogicalResult KernelCompiler::compileMulticast(MulticastOp op) {
  FailureOr<Side> side = sideOf(*op, op.getBuffer(), Side::Producer);
  if (failed(side))
    return failure();
  Instruction &instruction = emit(Op::Multicast, *op);
  instruction.object = bufferOf(op.getBuffer());
  instruction.flags = static_cast<uint8_t>(*side);
  instruction.receivers = op.getReceivers();
  instruction.imm = op.getTiles();
  instruction.r[0] = registerOf(op.getSlot());
  for (auto [index, bound] : llvm::enumerate(op.getTo()))
    instruction.r[1 + index] = registerOf(bound);
  return success();
}

LogicalResult KernelCompiler::compileSignal(SignalOp op) {
  FailureOr<Time> cost = c.cost(op, Cost::SemaphoreInc);
  if (failed(cost))
    return failure();
  Instruction &instruction = emit(Op::Signal, *op);
  instruction.object = c.semaphores.lookup(op.getSemaphore());
  instruction.cost = *cost; // of each core signalled
  for (auto [index, bound] : llvm::enumerate(op.getTo()))
    instruction.r[1 + index] = registerOf(bound);
  return success();
}

LogicalResult KernelCompiler::compilePublish(PublishOp op) {
  Instruction &instruction = emit(Op::Publish, *op);
  instruction.object = c.semaphores.lookup(op.getSemaphore());
  instruction.receivers = op.getReceivers();
  instruction.r[0] = registerOf(op.getValue());
  for (auto [index, bound] : llvm::enumerate(op.getTo()))
    instruction.r[1 + index] = registerOf(bound);
  return success();
}

LogicalResult KernelCompiler::compileAwait(AwaitOp op) {
  FailureOr<Time> cost = c.cost(op, Cost::SemaphorePoll);
  if (failed(cost))
    return failure();
  Instruction &instruction = emit(Op::Await, *op);
  instruction.object = c.semaphores.lookup(op.getSemaphore());
  instruction.r[0] = registerOf(op.getValue());
  instruction.cost = *cost;
  return success();
}

} // namespace drawloom::sim
