// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear scan over the registers of one half of Dst.

#include "DstSlots.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace drawloom::task;

namespace {
struct Life {
  RegisterOp reg;
  int64_t first, last;
};
} // namespace

/// Whether the operation that first uses a register in a loop makes its value
/// there, so that nothing is carried from one iteration to the next.
static bool defines(Operation *op, Value reg) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getInto() == reg;
  if (auto binary = dyn_cast<BinaryOp>(op))
    return binary.getInto() == reg;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return transpose.getInto() == reg;
  if (isa<FillRegisterOp>(op))
    return true;
  if (auto select = dyn_cast<SelectOp>(op))
    return select.getInto() == reg &&
           !llvm::is_contained({select.getCondition(), select.getYes(), select.getNo()}, reg);
  if (auto sfpu = dyn_cast<SfpuBinaryOp>(op))
    return sfpu.getInto() == reg && sfpu.getLhs() != reg && sfpu.getRhs() != reg;
  return false;
}

/// Whether `op` combines with what its tile of Dst holds.
static bool accumulates(Operation *op) {
  if (auto binary = dyn_cast<BinaryOp>(op))
    return binary.getArithmetic() == Arithmetic::Mul;
  return isa<MatmulOp, ReduceOp>(op);
}

/// Positions of operations in `dst`, and of the ends of its loops.
static llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> number(DstOp dst) {
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> spans;
  int64_t next = 0;
  auto visit = [&](auto &&self, Operation *op) -> void {
    int64_t start = next++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          self(self, &inner);
    spans[op] = {start, next++};
  };
  visit(visit, dst);
  return spans;
}

static Life lifeOf(RegisterOp reg, DstOp dst,
                   const llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> &spans) {
  SmallVector<Operation *> users(reg->getUsers());
  llvm::sort(users, [&](Operation *a, Operation *b) {
    return spans.lookup(a).first < spans.lookup(b).first;
  });
  if (users.empty()) {
    int64_t at = spans.lookup(reg).first;
    return {reg, at, at};
  }
  Life life{reg, spans.lookup(users.front()).first, spans.lookup(users.back()).second};
  // Only the start of the half of Dst makes its tiles zero.
  if (llvm::any_of(users, accumulates))
    life.first = spans.lookup(dst).first;
  for (Operation *user : users)
    for (Operation *loop = user->getParentOp(); loop != dst; loop = loop->getParentOp()) {
      if (!isa<scf::ForOp>(loop))
        continue;
      auto first = llvm::find_if(users, [&](Operation *u) { return loop->isAncestor(u); });
      bool inside = llvm::all_of(users, [&](Operation *u) { return loop->isAncestor(u); });
      if (inside && defines(*first, reg.getRange()))
        continue;
      life.first = std::min(life.first, spans.lookup(loop).first);
      life.last = std::max(life.last, spans.lookup(loop).second);
    }
  return life;
}

DstSlots drawloom::task::placeRegisters(DstOp dst) {
  auto spans = number(dst);
  SmallVector<Life> lives;
  dst.walk([&](RegisterOp reg) { lives.push_back(lifeOf(reg, dst, spans)); });
  llvm::stable_sort(lives, [](const Life &a, const Life &b) { return a.first < b.first; });
  DstSlots result;
  SmallVector<std::pair<Life, int64_t>> placed;
  for (const Life &life : lives) {
    int64_t size = RegisterOp(life.reg).getTiles(), slot = 0;
    // The lowest range free of everything that is live at the same time.
    for (bool moved = true; moved;) {
      moved = false;
      for (auto &[other, start] : placed) {
        int64_t end = start + static_cast<int64_t>(other.reg.getTiles());
        bool together = other.first <= life.last && life.first <= other.last;
        if (together && slot < end && start < slot + size) {
          slot = end;
          moved = true;
        }
      }
    }
    placed.push_back({life, slot});
    result.slots.push_back({life.reg, slot});
    result.tiles = std::max(result.tiles, slot + size);
  }
  return result;
}
