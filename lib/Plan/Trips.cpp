// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts iterations at each point of the grid, or guesses them.

#include "Trips.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;

namespace drawloom::plan {
namespace {

/// Points beyond which only a sample is counted, and iterations of an outer
/// loop at which an inner one is looked at.
constexpr int64_t kMostPoints = 1 << 14, kMostSamples = 32;

/// Index values at one point of the grid and its loops.
class Values {
public:
  void set(Value index, int64_t value) { known[index] = value; }
  /// The value of an integer or condition; nothing when memory decides it.
  std::optional<int64_t> of(Value value) const;
  /// The same with 0 for what memory decides.
  int64_t orZero(Value value) const { return of(value).value_or(0); }

private:
  std::optional<int64_t> ofOperation(Operation *op) const;
  std::optional<int64_t> ofMap(AffineMap map, ValueRange operands, bool largest) const;

  llvm::DenseMap<Value, int64_t> known;
};

std::optional<int64_t> compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  using P = arith::CmpIPredicate;
  auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return a < b;
  case P::sle:
    return a <= b;
  case P::sgt:
    return a > b;
  case P::sge:
    return a >= b;
  case P::ult:
    return ua < ub;
  case P::ule:
    return ua <= ub;
  case P::ugt:
    return ua > ub;
  case P::uge:
    return ua >= ub;
  }
  return std::nullopt;
}

std::optional<int64_t> combine(Operation *op, int64_t a, int64_t b) {
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return compare(cmp.getPredicate(), a, b);
  if (isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp, arith::RemSIOp, arith::DivUIOp,
          arith::CeilDivUIOp, arith::RemUIOp>(op) &&
      b == 0)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](arith::AddIOp) { return a + b; })
      .Case([&](arith::SubIOp) { return a - b; })
      .Case([&](arith::MulIOp) { return a * b; })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) { return a / b; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [&](auto) { return llvm::divideCeilSigned(a, b); })
      .Case([&](arith::FloorDivSIOp) { return llvm::divideFloorSigned(a, b); })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) { return a % b; })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) { return std::min(a, b); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto) { return std::max(a, b); })
      .Case([&](arith::AndIOp) { return a & b; })
      .Case([&](arith::OrIOp) { return a | b; })
      .Case([&](arith::XOrIOp) { return a ^ b; })
      .Default(std::nullopt);
}

std::optional<int64_t> Values::of(Value value) const {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  if (auto constant = getConstantIntValue(value))
    return constant;
  Operation *op = value.getDefiningOp();
  return op ? ofOperation(op) : std::nullopt;
}

std::optional<int64_t> Values::ofMap(AffineMap map, ValueRange operands, bool largest) const {
  SmallVector<Attribute> constants;
  Builder builder(map.getContext());
  for (Value operand : operands) {
    auto value = of(operand);
    if (!value)
      return std::nullopt;
    constants.push_back(builder.getIndexAttr(*value));
  }
  SmallVector<Attribute> results;
  if (failed(map.constantFold(constants, results)))
    return std::nullopt;
  std::optional<int64_t> best;
  for (Attribute result : results) {
    int64_t value = cast<IntegerAttr>(result).getInt();
    best = !best ? value : largest ? std::max(*best, value) : std::min(*best, value);
  }
  return best;
}

std::optional<int64_t> Values::ofOperation(Operation *op) const {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return ofMap(apply.getAffineMap(), apply.getMapOperands(), false);
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return ofMap(least.getMap(), least.getOperands(), false);
  if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    return ofMap(most.getMap(), most.getOperands(), true);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return of(op->getOperand(0));
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto condition = of(select.getCondition());
    return condition ? of(*condition ? select.getTrueValue() : select.getFalseValue())
                     : std::nullopt;
  }
  if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumOperands() != 2)
    return std::nullopt;
  auto a = of(op->getOperand(0)), b = of(op->getOperand(1));
  return a && b ? combine(op, *a, *b) : std::nullopt;
}

/// Iterations of a loop, or 1 or 0 for a branch; nothing when memory decides.
std::optional<int64_t> iterationsOf(const Loop &level, const Values &values) {
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
  bool countOuter(size_t depth, Values &values, double &inner, double &outer);
  double guess() const;
  std::optional<double> room(scf::ForOp loop, Value array, AffineMap map, ValueRange at) const;

  Loop &level;
  const Problem &problem;
  std::set<int> dims;
  SmallVector<const Loop *> outers; ///< that the level's bounds depend on
};

/// Adds the iterations at one combination of outer ones, and one for that.
bool Counter::countOuter(size_t depth, Values &values, double &inner, double &outer) {
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
  Values values;
  for (int dim : llvm::reverse(SmallVector<int>(dims.begin(), dims.end()))) {
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
  Values first, second;
  int64_t step = first.orZero(loop.getStep());
  first.set(loop.getInductionVar(), 0);
  second.set(loop.getInductionVar(), std::max<int64_t>(step, 1));
  auto evaluate = [&](AffineExpr expr, const Values &values) {
    SmallVector<AffineExpr> dims(map.getNumDims(), getAffineConstantExpr(0, map.getContext()));
    for (auto [position, index] : llvm::enumerate(at))
      dims[position] = getAffineConstantExpr(values.orZero(index), map.getContext());
    auto constant = dyn_cast<AffineConstantExpr>(expr.replaceDims(dims));
    return constant ? constant.getValue() : 0;
  };
  std::optional<double> least;
  ArrayRef<int64_t> shape = cast<MemRefType>(array.getType()).getShape();
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    int64_t advance = evaluate(expr, second) - evaluate(expr, first);
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
