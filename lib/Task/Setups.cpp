// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes away set-ups that change nothing.
//
// The compute engine has three of them side by side: of the matrix unit and
// its unpackers, of the vector unit, and of the packer. Only `task.init`
// changes one, and the end of a task.dst that set up a reduction: that undoes
// it, and leaves the matrix unit without a set-up.

#include "Compute.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {
enum SetupUnit { Matrix, Vector, Packer, kUnits };

/// What each unit is set up for, as far as it is known.
using State = std::array<InitOp, kUnits>;
} // namespace

static SetupUnit unitOf(InitOp init) {
  if (init.getKind() == Setup::Sfpu)
    return Vector;
  return init.getKind() == Setup::Pack ? Packer : Matrix;
}

static bool isSame(InitOp a, InitOp b) {
  return a->getAttrDictionary() == b->getAttrDictionary() &&
         llvm::equal(a.getOperands(), b.getOperands());
}

static bool setsUpReduction(Operation *op) {
  return op->walk([](InitOp init) {
             return init.getKind() == Setup::Reduce ? WalkResult::interrupt() : WalkResult::advance();
           }).wasInterrupted();
}

/// Whether `op` stands in a task.dst.
static bool inDst(Operation *op) { return static_cast<bool>(op->getParentOfType<DstOp>()); }

/// The one set-up of `unit` under `op`, if all there are alike.
static InitOp onlySetup(Operation *op, SetupUnit unit) {
  InitOp first;
  bool alike = true;
  op->walk([&](InitOp init) {
    if (unitOf(init) != unit)
      return;
    alike &= !first || isSame(first, init);
    if (!first)
      first = init;
  });
  return alike ? first : InitOp();
}

/// Moves set-ups in front of the loops that need no other of their unit. That
/// of a reduction stays in its task.dst.
static void hoist(KernelOp kernel) {
  kernel.walk([](Operation *op) {
    if (!isa<scf::ForOp, DstOp>(op))
      return;
    for (unsigned unit = 0; unit < kUnits; ++unit) {
      InitOp only = onlySetup(op, static_cast<SetupUnit>(unit));
      if (!only || (setsUpReduction(only) && !inDst(op)))
        continue;
      only->moveBefore(op);
      op->walk([&](InitOp init) {
        if (isSame(init, only))
          init.erase();
      });
    }
  });
}

/// What is known where two paths meet.
static State meet(State a, const State &b) {
  for (auto [mine, other] : llvm::zip_equal(a, b))
    if (!mine || !other || !isSame(mine, other))
      mine = {};
  return a;
}

/// Forgets what a run of `loop` may change.
static void forgetSetups(Operation *loop, State &state) {
  loop->walk([&](InitOp init) { state[unitOf(init)] = {}; });
}

/// Whether the loop is known to run.
static bool runs(scf::ForOp loop) {
  APInt low, high;
  return matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) &&
         matchPattern(loop.getUpperBound(), m_ConstantInt(&high)) && low.slt(high);
}

/// Drops set-ups that are already in force; `state` is what is.
static void dropRepeated(mlir::Block &block, State &state) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto init = dyn_cast<InitOp>(op)) {
      InitOp &current = state[unitOf(init)];
      if (current && isSame(current, init))
        init.erase();
      else
        current = init;
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // Its body starts from where it ends, too.
      State before = state;
      forgetSetups(loop, state);
      dropRepeated(*loop.getBody(), state);
      if (!runs(loop))
        state = meet(before, state);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      State otherwise = state;
      dropRepeated(*branch.thenBlock(), state);
      if (branch.elseBlock())
        dropRepeated(*branch.elseBlock(), otherwise);
      state = meet(state, otherwise);
    } else if (auto dst = dyn_cast<DstOp>(op)) {
      dropRepeated(dst.getBody().front(), state);
      if (setsUpReduction(dst))
        state[Matrix] = {};
    }
  }
}

void drawloom::task::placeSetups(KernelOp kernel) {
  hoist(kernel);
  State state;
  dropRepeated(kernel.getBody().front(), state);
}
