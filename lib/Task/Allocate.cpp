// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places buffers, semaphores and registers: logical to physical state.

#include "drawloom/Task/TaskPasses.h"

#include "DstSlots.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

/// A buffer starts where both memories' transfers may end.
static int64_t alignmentOf(const MachineModel &model) {
  int64_t align = std::max(model.local().readAlign, model.local().writeAlign);
  if (model.hasBanks())
    align = std::max({align, model.global().readAlign, model.global().writeAlign});
  return align;
}

/// Every buffer with its bytes, and what would make them fewer.
static LogicalResult overflow(ProgramOp program, int64_t needed, int64_t available) {
  auto error = program.emitError("needs ")
               << needed << " bytes of L1 for its buffers; a core has " << available;
  BufferOp largest;
  for (auto buffer : program.getBody().getOps<BufferOp>()) {
    error.attachNote(buffer.getLoc())
        << buffer.getName() << ": " << buffer.getTiles() << " tiles of " << buffer.getFormat()
        << " x depth " << buffer.getDepth() << " = " << buffer.getBytes() << " bytes";
    if (!largest || buffer.getBytes() > largest.getBytes())
      largest = buffer;
  }
  error.attachNote(largest.getLoc())
      << (largest.getDepth() > 1 ? "reduce the depth of " : "use smaller blocks or chunks, or hoist less, for ")
      << largest.getName() << ", the largest";
  return error;
}

static LogicalResult placeBuffers(ProgramOp program, const MachineModel &model) {
  if (!model.hasMemories())
    return program.emitError("runs on ") << model.name() << ", whose cores have no memory stated";
  int64_t align = alignmentOf(model);
  int64_t start = llvm::alignTo(model.local().reserved, align), next = start, id = 0;
  Builder b(program.getContext());
  for (auto buffer : program.getBody().getOps<BufferOp>()) {
    buffer.setIdAttr(b.getI64IntegerAttr(id++));
    if (buffer.getOperand())
      buffer.setOperandIdAttr(b.getI64IntegerAttr(id++));
    buffer.setAddressAttr(b.getI64IntegerAttr(next));
    next = llvm::alignTo(next + buffer.getBytes(), align);
  }
  if (next > model.local().size)
    return overflow(program, next - start, model.local().size - start);
  return success();
}

LogicalResult drawloom::task::allocate(ProgramOp program, const MachineModel &model) {
  if (failed(placeBuffers(program, model)))
    return failure();
  Builder b(program.getContext());
  int64_t id = 0;
  for (auto semaphore : program.getBody().getOps<SemaphoreOp>())
    semaphore.setIdAttr(b.getI64IntegerAttr(id++));
  program.walk([&](DstOp dst) {
    for (auto &[reg, slot] : placeRegisters(dst).slots)
      reg.setSlotAttr(b.getI64IntegerAttr(slot));
  });
  return success();
}
