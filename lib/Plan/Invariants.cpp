// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows operands to see whether a loop changes them.

#include "Invariants.h"

#include "drawloom/Tile/Written.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace drawloom::plan {

static bool isInvariant(Operation *op, scf::ForOp loop, llvm::DenseMap<Operation *, bool> &known) {
  auto [it, isNew] = known.try_emplace(op, false);
  if (!isNew)
    return it->second;
  auto load = dyn_cast<tile::LoadOp>(op);
  bool moves = load ? !tile::isWritten(load.getArray())
                    : isMemoryEffectFree(op) && (!op->getNumRegions() || isa<linalg::LinalgOp>(op));
  bool result = moves && llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    return loop.isDefinedOutsideOfLoop(operand) || (source && isInvariant(source, loop, known));
  });
  return known[op] = result;
}

ArrayRef<int> nestOfInvariant(Operation *op, ArrayRef<int> nest, const Problem &problem) {
  while (!nest.empty()) {
    scf::ForOp loop = problem.loops[nest.back()].loop();
    llvm::DenseMap<Operation *, bool> known;
    if (!loop || !isInvariant(op, loop, known))
      break;
    nest = nest.drop_back();
  }
  return nest;
}

} // namespace drawloom::plan
