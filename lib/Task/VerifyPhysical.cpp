// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract of the physical state.

#include "drawloom/Task/TaskPasses.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static LogicalResult unplaced(Operation *op, StringRef what) {
  auto error = op->emitError("has no ") << what;
  error.attachNote() << "`task-allocate` gives every buffer, semaphore and register its place";
  return error;
}

static SmallVector<std::optional<int64_t>> idsOf(SemaphoreOp op) { return {op.getId()}; }

static SmallVector<std::optional<int64_t>> idsOf(BufferOp op) {
  SmallVector<std::optional<int64_t>> ids{op.getId()};
  if (op.getOperand())
    ids.push_back(op.getOperandId());
  return ids;
}

/// Hardware has a fixed set of each, addressed by number.
template <typename OpTy>
static LogicalResult verifyIds(ProgramOp program, std::optional<int64_t> limit, StringRef what) {
  llvm::DenseMap<int64_t, Operation *> owners;
  for (auto op : program.getBody().getOps<OpTy>())
    for (std::optional<int64_t> id : idsOf(op)) {
      if (!id)
        return unplaced(op, "id");
      if (*id < 0 || (limit && *id >= *limit))
        return op.emitError("has id ") << *id << ", but a core has " << limit.value_or(0) << " " << what
               << ": share or remove some";
      auto [it, isNew] = owners.try_emplace(*id, op);
      if (isNew)
        continue;
      auto error = op.emitError("has id ") << *id << ", which is taken";
      error.attachNote(it->second->getLoc()) << "by this one";
      return error;
    }
  return success();
}

static LogicalResult verifyAddresses(ProgramOp program, const MachineModel &model) {
  SmallVector<BufferOp> buffers(program.getBody().getOps<BufferOp>());
  const Memory &l1 = model.local();
  for (BufferOp buffer : buffers) {
    if (!buffer.getAddress())
      return unplaced(buffer, "address");
    int64_t address = *buffer.getAddress();
    if (address % std::max(l1.readAlign, l1.writeAlign) != 0)
      return buffer.emitError("starts at ") << address << ", not aligned to "
             << std::max(l1.readAlign, l1.writeAlign) << " bytes as transfers need";
    if (address < l1.reserved)
      return buffer.emitError("starts at ") << address << ", within the " << l1.reserved
             << " bytes of L1 that belong to the system";
    if (address > l1.size || buffer.getBytes() > l1.size - address)
      return buffer.emitError("takes ") << buffer.getBytes() << " bytes at " << address
             << ", beyond the " << l1.size << " bytes of L1";
  }
  llvm::sort(buffers, [](BufferOp a, BufferOp b) { return *a.getAddress() < *b.getAddress(); });
  for (size_t i = 1; i < buffers.size(); ++i) {
    BufferOp before = buffers[i - 1], after = buffers[i];
    if (static_cast<int64_t>(*before.getAddress()) + before.getBytes() <= static_cast<int64_t>(*after.getAddress()))
      continue;
    auto error = after.emitError("overlaps buffer ") << before.getName() << " in L1";
    error.attachNote(before.getLoc()) << "which holds bytes " << *before.getAddress() << " to "
                                      << *before.getAddress() + before.getBytes() - 1;
    return error;
  }
  return success();
}

static LogicalResult verifyRegisters(ProgramOp program, const MachineModel &model) {
  std::optional<int64_t> capacity = model.dstTiles(program.isDst32());
  return failure(program
                     .walk([&](RegisterOp reg) {
                       if (!reg.getSlot())
                         return WalkResult(unplaced(reg, "slot"));
                       int64_t slot = *reg.getSlot(), tiles = reg.getTiles();
                       if (slot < 0 || tiles < 1 ||
                           (capacity && (tiles > *capacity || slot > *capacity - tiles)))
                         return WalkResult(reg.emitError("takes ")
                                           << tiles << " tiles at slot " << slot
                                           << " of a half of Dst, which holds "
                                           << capacity.value_or(0));
                       return WalkResult::advance();
                     })
                     .wasInterrupted());
}

LogicalResult drawloom::task::verifyPhysical(ProgramOp program, const MachineModel &model) {
  if (!model.hasMemories())
    return program.emitError("runs on ") << model.name() << ", whose cores have no memory stated";
  return failure(
      failed(verifyIds<BufferOp>(program, model.limit(Limit::CircularBuffers), "circular buffers")) ||
      failed(verifyIds<SemaphoreOp>(program, model.limit(Limit::Semaphores), "semaphores")) ||
      failed(verifyAddresses(program, model)) || failed(verifyRegisters(program, model)));
}
