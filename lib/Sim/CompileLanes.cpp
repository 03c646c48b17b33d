// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes a data mover numbers or moves one by one, and integers read from
// memory, to instructions.
#include "KernelCompiler.h"

#include "drawloom/Sim/SimError.h"

using namespace mlir;
using namespace drawloom::task;

namespace drawloom::sim {

/// A bool takes a byte.
static ElementType elementOf(Type type) {
  int64_t bits = type.getIntOrFloatBitWidth();
  return {static_cast<int>(llvm::divideCeil(bits, 8)), bits == 1};
}

LogicalResult KernelCompiler::compileIota(IotaOp op) {
  FailureOr<Side> side = sideOf(*op, op.getBuffer(), Side::Producer);
  FailureOr<Time> store = c.cost(op, Cost::MoverStore);
  if (failed(side) || failed(store))
    return failure();
  Instruction &instruction = emit(Op::Iota, *op);
  instruction.object = bufferOf(op.getBuffer());
  instruction.flags = static_cast<uint8_t>(*side);
  instruction.r[0] = registerOf(op.getSlot());
  instruction.r[1] = registerOf(op.getBase());
  instruction.imm = static_cast<int64_t>(op.getAlong());
  instruction.cost = *store + alu; // of each lane
  return success();
}

/// Instructions that find where the next run of words begins and ends (L).
constexpr int kRunSteps = 12;

/// `rest` are the tile's slot, the lane's row and column, and the count.
LogicalResult KernelCompiler::compileLine(Operation &op, LineOp line,
                                          Op kind, Side side, Value linearSlot,
                                          Value byte, ArrayRef<Value> rest) {
  FailureOr<Time> load = c.cost(&op, Cost::MoverLoad);
  FailureOr<Time> store = c.cost(&op, Cost::MoverStore);
  FailureOr<uint16_t> start = newRegister(op);
  if (failed(load) || failed(store) || failed(start))
    return failure();
  Instruction &address = emit(Op::MulAdd, op);
  address.r[0] = *start;
  address.r[1] = registerOf(linearSlot);
  address.r[2] = registerOf(byte);
  address.imm = c.program.buffers[line.linear].tileBytes;
  address.cost = alu;
  Instruction &instruction = emit(kind, op);
  instruction.object = line.tiles;
  instruction.flags = static_cast<uint8_t>(side);
  instruction.r[0] = *start;
  for (auto [index, value] : llvm::enumerate(rest))
    instruction.r[1 + index] = registerOf(value);
  instruction.imm = c.program.lines.size();
  // A load, a store, and the steps of both addresses. Of words, loads go on
  // while others are stored.
  line.ofElement = *load + *store + 2 * alu;
  line.ofWord = *store + alu;
  line.ofRun = *load + kRunSteps * alu + branch;
  c.program.lines.push_back(line);
  return success();
}

LogicalResult KernelCompiler::compilePlace(PlaceOp op) {
  FailureOr<Side> side = sideOf(*op, op.getBuffer(), Side::Producer);
  if (failed(side))
    return failure();
  LineOp line{static_cast<uint16_t>(bufferOf(op.getSource())),
              static_cast<uint16_t>(bufferOf(op.getBuffer())),
              static_cast<int64_t>(op.getStep()), elementOf(op.getElements()),
              op.getAlong() == LaneAxis::Row};
  return compileLine(
      *op, line, Op::Place, *side, op.getFrom(), op.getByte(),
      {op.getSlot(), op.getRow(), op.getColumn(), op.getCount()});
}

LogicalResult KernelCompiler::compileLift(LiftOp op) {
  FailureOr<Side> side = sideOf(*op, op.getBuffer(), Side::Consumer);
  if (failed(side))
    return failure();
  LineOp line{static_cast<uint16_t>(bufferOf(op.getTarget())),
              static_cast<uint16_t>(bufferOf(op.getBuffer())),
              static_cast<int64_t>(op.getStep()), elementOf(op.getElements()),
              op.getAlong() == LaneAxis::Row};
  return compileLine(
      *op, line, Op::Lift, *side, op.getTo(), op.getByte(),
      {op.getSlot(), op.getRow(), op.getColumn(), op.getCount()});
}

/// The compute engine's math thread peeks and tells the pack thread.
LogicalResult KernelCompiler::compilePeek(PeekOp op) {
  FailureOr<Time> cost = c.cost(op, Cost::MoverLoad);
  if (failed(cost) || failed(define(op.getValue(), *op)))
    return failure();
  bool told = thread == SimThread::Pack;
  FailureOr<Side> side = Side::Consumer;
  if (!told)
    side = sideOf(*op, op.getBuffer(),
                  isMover() ? Side::Producer : Side::Consumer);
  if (failed(side))
    return failure();
  Instruction &instruction = emit(told ? Op::TakePeek : Op::Peek, *op);
  instruction.cost = *cost;
  instruction.r[0] = registerOf(op.getValue());
  if (told)
    return success();
  instruction.object = bufferOf(op.getBuffer());
  instruction.flags = static_cast<uint8_t>(*side);
  instruction.r[1] = registerOf(op.getSlot());
  instruction.r[2] = registerOf(op.getByte());
  instruction.imm = c.program.peeks.size();
  c.program.peeks.push_back(elementOf(op.getElements()));
  return success();
}

} // namespace drawloom::sim
