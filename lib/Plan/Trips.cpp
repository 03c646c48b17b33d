// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts iterations at each point of the grid, or guesses them.

#include "Trips.h"

#include "IndexValues.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;

namespace drawloom::plan {
namespace {

/// Points beyond which only a sample is counted, and iterations of an outer
/// loop at which an inner one is looked at.
constexpr int64_t kMostPoints = 1 << 14, kMostSamples = 32;

/// Iterations of a loop, or 1 or 0 for a branch; nothing when memory decides.
std::optional<int64_t> iterationsOf(const Loop &level, const IndexValues &values) {
  if (auto branch = dyn_cast<scf::IfOp>(level.op)) {
    auto condition = values.of(branch.getCondition());
    return condition ? std::optional<int64_t>((*condition != 0) != level.isElse) : std::nullopt;
  }
  scf::ForOp loop = level.loop();
  auto lower = values.of(loop.getLowerBound()), upper = values.of(loop.getUpperBound()),
       step = values.of(loop.getStep());
  if (!lower || !upper || !step || *step < 1)
    return std::nullopt;
  return std::max<int64_t>(0, llvm::divideCeilSigned(*upper - *lower, *step));
}

/// Counts one level inside a nest.
class Counter {
public:
  Counter(Loop &level, const Problem &problem, ArrayRef<int> nest)
      : level(level), problem(problem) {
    for (Value input : inputs())
      for (auto [dim, index] : llvm::enumerate(tile::GridOp(problem.grid).getBody().getArguments()))
        if (dependsOn(input, index))
          dims.insert(dim);
    for (int outer : nest) {
      scf::ForOp loop = problem.loops[outer].loop();
      if (!loop || llvm::none_of(inputs(), [&](Value input) {
            return dependsOn(input, loop.getInductionVar());
          }))
        continue;
      outers.push_back(&problem.loops[outer]);
      dims.insert(problem.loops[outer].dims.begin(), problem.loops[outer].dims.end());
    }
  }

  void count();

private:
  SmallVector<Value> inputs() const {
    if (auto branch = dyn_cast<scf::IfOp>(level.op))
      return {branch.getCondition()};
    scf::ForOp loop = level.loop();
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  }
  bool countPoint(int64_t point, double &inner, double &outer);
  bool countOuter(size_t depth, IndexValues &values, double &inner, double &outer);
  double guess() const;
  std::optional<double> room(scf::ForOp loop, Value array, AffineMap map, ValueRange at) const;

  Loop &level;
  const Problem &problem;
  std::set<int> dims;
  SmallVector<const Loop *> outers; ///< that the level's bounds depend on
};

/// Adds the iterations at one combination of outer ones, and one for that.
bool Counter::countOuter(size_t depth, IndexValues &values, double &inner, double &outer) {
  if (depth == outers.size()) {
    auto iterations = iterationsOf(level, values);
    if (!iterations)
      return false;
    inner += *iterations;
    outer += 1;
    return true;
  }
  scf::ForOp loop = outers[depth]->loop();
  auto trips = iterationsOf(*outers[depth], values);
  if (!trips)
    return false;
  int64_t lower = values.orZero(loop.getLowerBound()), step = values.orZero(loop.getStep());
  int64_t stride = llvm::divideCeil(std::max<int64_t>(*trips, 1), kMostSamples);
  for (int64_t iteration = 0; iteration < *trips; iteration += stride) {
    values.set(loop.getInductionVar(), lower + iteration * step);
    if (!countOuter(depth + 1, values, inner, outer))
      return false;
  }
  return true;
}

bool Counter::countPoint(int64_t point, double &inner, double &outer) {
  IndexValues values;
  for (int dim : llvm::reverse(dims)) {
    values.set(tile::GridOp(problem.grid).getIndex(dim), point % problem.extents[dim]);
    point /= problem.extents[dim];
  }
  return countOuter(0, values, inner, outer);
}

void Counter::count() {
  int64_t points = 1;
  for (int dim : dims)
    points = llvm::SaturatingMultiply<uint64_t>(points, problem.extents[dim]);
  int64_t stride = llvm::divideCeil(points, kMostPoints);
  double inner = 0, outer = 0;
  std::vector<double> tripsAt;
  for (int64_t point = 0; point < points; point += stride) {
    double here = 0, around = 0;
    if (!countPoint(point, here, around)) {
      level.isUniform = false;
      level.isGuessed = true;
      level.trip = guess();
      return;
    }
    inner += here;
    outer += around;
    tripsAt.push_back(around > 0 ? here / around : 0);
  }
  level.trip = outer > 0 ? inner / outer : 0;
  level.isUniform = dims.empty() && outers.empty();
  if (level.isUniform || stride > 1)
    return;
  level.dims.assign(dims.begin(), dims.end());
  level.tripsAt = std::move(tripsAt);
}

/// Iterations until `array`, accessed at `at`, ends.
std::optional<double> Counter::room(scf::ForOp loop, Value array, AffineMap map,
                                    ValueRange at) const {
  IndexValues first, second;
  int64_t step = first.orZero(loop.getStep());
  first.set(loop.getInductionVar(), 0);
  second.set(loop.getInductionVar(), std::max<int64_t>(step, 1));
  std::optional<double> least;
  ArrayRef<int64_t> shape = cast<MemRefType>(array.getType()).getShape();
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    int64_t advance = second.evaluate(expr, at, map.getNumDims()) - first.evaluate(expr, at, map.getNumDims());
    if (advance < 1)
      continue;
    double iterations = llvm::divideCeil(shape[dim], advance);
    least = least ? std::min(*least, iterations) : iterations;
  }
  return least;
}

double Counter::guess() const {
  scf::ForOp loop = level.loop();
  if (!loop)
    return 0.5;
  std::optional<double> least;
  auto look = [&](Value array, AffineMap map, ValueRange at) {
    auto found = room(loop, array, map, at);
    if (found)
      least = least ? std::min(*least, *found) : found;
  };
  loop.walk([&](Operation *op) {
    if (auto load = dyn_cast<tile::LoadOp>(op))
      look(load.getArray(), load.getAccess(), load.getAt());
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      look(store.getArray(), store.getAccess(), store.getAt());
    else if (auto read = dyn_cast<tile::ReadOp>(op))
      look(read.getArray(), read.getAccess(), read.getAt());
  });
  return least ? std::max(1.0, *least / 2) : 1;
}

} // namespace

bool dependsOn(Value value, Value source) {
  SmallVector<Value> pending = {value};
  llvm::DenseSet<Value> seen;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (next == source)
      return true;
    if (!seen.insert(next).second)
      continue;
    Operation *def = next.getDefiningOp();
    if (!def) {
      // What a loop carries may follow from anything around it.
      auto argument = cast<BlockArgument>(next);
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && argument != loop.getInductionVar())
        return true;
      continue;
    }
    if (def->getNumRegions() > 0)
      return true;
    pending.append(def->operand_begin(), def->operand_end());
  }
  return false;
}

Loop levelOf(Operation *op, bool isElse, const Problem &problem, ArrayRef<int> nest) {
  Loop level;
  level.op = op;
  level.isElse = isElse;
  if (!nest.empty())
    level.enclosing = nest.back();
  Counter(level, problem, nest).count();
  return level;
}

} // namespace drawloom::plan
