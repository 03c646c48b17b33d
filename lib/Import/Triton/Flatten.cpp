// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over tiles: persistent kernels as if each tile had a program.

#include "Flatten.h"

using namespace mlir;

namespace drawloom::tt {

static bool hasEffect(Operation *op) {
  return isa<StoreOp, DescriptorStoreOp, AtomicRMWOp, AtomicCASOp>(op);
}

static bool isTileLoop(const Kernel &kernel, scf::ForOp loop) {
  if (!kernel.hasFacts(loop))
    return false;
  auto *lower = kernel.as<IndexExpr>(loop.getLowerBound());
  const IndexExpr &trips = kernel.factsOf(loop).trips;
  if (loop->getParentOp() != kernel.function || !lower || !lower->isColumn() ||
      lower->base.isUniform() || !trips.isColumn() ||
      kernel.isConditional(loop))
    return false;
  if (llvm::any_of(loop.getRegionIterArgs(),
                   [&](Value carried) { return kernel.isData(carried); }))
    return false;
  bool onlyHere = true;
  kernel.forEachOperation([&](Operation *op) {
    onlyHere &= !hasEffect(op) || loop->isProperAncestor(op);
  });
  return onlyHere;
}

scf::ForOp findTileLoop(const Kernel &kernel) {
  scf::ForOp found;
  kernel.forEachOperation([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && !found)
      if (isTileLoop(kernel, loop))
        found = loop;
  });
  return found;
}

std::vector<ProgramPoint> flatten(const Kernel &kernel, scf::ForOp loop) {
  const Column &trips = kernel.factsOf(loop).trips.base;
  const Column &lower = kernel.as<IndexExpr>(loop.getLowerBound())->base;
  int64_t step = kernel.as<IndexExpr>(loop.getStep())->base.min();
  std::vector<std::pair<int64_t, ProgramPoint>> ordered;
  for (auto [number, program] : llvm::enumerate(kernel.programs()))
    for (int64_t iteration = 0; iteration < trips[number]; ++iteration) {
      ProgramPoint point = program;
      point.iteration = iteration;
      ordered.push_back({lower[number] + iteration * step, point});
    }
  // As a launch orders its programs: axis x fastest.
  llvm::stable_sort(ordered, [](auto &a, auto &b) {
    return std::tuple(a.second.ids[2], a.second.ids[1], a.first) <
           std::tuple(b.second.ids[2], b.second.ids[1], b.first);
  });
  std::vector<ProgramPoint> points;
  for (auto &[index, point] : ordered)
    points.push_back(point);
  return points;
}

} // namespace drawloom::tt
