// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes away set-ups that change nothing.
//
// The compute engine has three of them side by side: of the matrix unit and
// its unpackers, of the vector unit, and of the packer. Only `task.init`
// changes one.

#include "Compute.h"

#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {
enum SetupUnit { Matrix, Vector, Packer, kUnits };
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

/// Moves set-ups in front of the loops that need no other of their unit.
static void hoist(KernelOp kernel) {
  kernel.walk([](Operation *op) {
    if (!isa<scf::ForOp, DstOp>(op))
      return;
    for (unsigned unit = 0; unit < kUnits; ++unit) {
      InitOp only = onlySetup(op, static_cast<SetupUnit>(unit));
      if (!only)
        continue;
      only->moveBefore(op);
      op->walk([&](InitOp init) {
        if (isSame(init, only))
          init.erase();
      });
    }
  });
}

/// Drops set-ups that are already in force; `state` is what is, by unit.
static void dropRepeated(mlir::Block &block, std::array<InitOp, kUnits> &state) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto init = dyn_cast<InitOp>(op)) {
      InitOp &current = state[unitOf(init)];
      if (current && isSame(current, init))
        init.erase();
      else
        current = init;
      continue;
    }
    if (!op.getNumRegions())
      continue;
    // A loop's body also starts from where it ends.
    if (isa<scf::ForOp>(op))
      op.walk([&](InitOp init) { state[unitOf(init)] = {}; });
    for (Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        dropRepeated(inner, state);
  }
}

void drawloom::task::placeSetups(KernelOp kernel) {
  hoist(kernel);
  std::array<InitOp, kUnits> state;
  dropRepeated(kernel.getBody().front(), state);
}
