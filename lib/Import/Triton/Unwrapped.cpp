// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows lanes whose wrap-around was replaced by a bound: none may reach
// memory.

#include "Access.h"

using namespace mlir;

namespace drawloom::tt {
namespace {

/// Bounds on the lanes of a value outside which it differs from the kernel's,
/// and the load it comes from.
struct Doubt {
  IndexExpr bound;
  Operation *load;
};
using Doubts = std::vector<Doubt>;

class Follower {
public:
  Follower(const Kernel &kernel, ArrayRef<Access> accesses) : kernel(kernel) {
    for (const Access &access : accesses)
      byOp[access.op] = &access;
  }
  LogicalResult run();

private:
  LogicalResult access(const Access &access);
  LogicalResult enter(scf::ForOp loop);
  LogicalResult yield(scf::YieldOp op);
  LogicalResult compute(Operation *op);
  LogicalResult visit(Operation *op);
  LogicalResult store(const Access &access, Value value);
  LogicalResult pass(Operation *op, Value from, Value to,
                     ArrayRef<int64_t> lanes);
  LogicalResult dot(DotOp op);
  template <typename Op> LogicalResult across(Op op, bool keepsAxis);
  void join(Value to, const Doubt &doubt);

  const Kernel &kernel;
  llvm::DenseMap<Operation *, const Access *> byOp;
  llvm::DenseMap<Value, Doubts> doubts;
  bool changed = false;
};

} // namespace

void Follower::join(Value to, const Doubt &doubt) {
  Doubts &known = doubts[to];
  if (llvm::any_of(known,
                   [&](const Doubt &d) { return d.bound == doubt.bound; }))
    return;
  known.push_back(doubt);
  changed = true;
}

/// The lanes of `to` are those of `from`, axis d from axis lanes[d].
LogicalResult Follower::pass(Operation *op, Value from, Value to,
                             ArrayRef<int64_t> lanes) {
  for (const Doubt &doubt : Doubts(doubts.lookup(from))) {
    for (auto [axis, factor] : llvm::enumerate(doubt.bound.lanes))
      if (factor && !llvm::is_contained(lanes, int64_t(axis)))
        return failure();
    join(to,
         {moveLanes(doubt.bound, laneShape(to.getType()), lanes), doubt.load});
  }
  return success();
}

LogicalResult Follower::dot(DotOp op) {
  bool batched = op.getType().getRank() == 3;
  auto keep = [&](ArrayRef<int64_t> lanes) {
    SmallVector<int64_t> all;
    if (batched)
      all.push_back(0);
    for (int64_t lane : lanes)
      all.push_back(lane < 0 ? lane : lane + batched);
    return all;
  };
  if (failed(pass(op, op.getA(), op.getResult(), keep({0, -1}))) ||
      failed(pass(op, op.getB(), op.getResult(), keep({-1, 1}))))
    return failure();
  return pass(op, op.getC(), op.getResult(), keep({0, 1}));
}

/// Lanes along the axis meet in a reduction, and in a scan.
template <typename Op> LogicalResult Follower::across(Op op, bool keepsAxis) {
  for (Value source : op.getSources()) {
    SmallVector<int64_t> lanes;
    for (int64_t d = 0; d < cast<RankedTensorType>(source.getType()).getRank();
         ++d)
      if (d != int64_t(op.getAxis()))
        lanes.push_back(d);
      else if (keepsAxis)
        lanes.push_back(-1);
    for (Value result : op.getResults())
      if (failed(pass(op, source, result, lanes)))
        return failure();
  }
  return success();
}

/// Every doubtful lane must be masked off.
LogicalResult Follower::store(const Access &access, Value value) {
  for (const Doubt &doubt : doubts.lookup(value)) {
    if (access.readsToo())
      return failure();
    bool masked = llvm::any_of(access.bounds, [&](const IndexExpr &bound) {
      MaybeIndex slack = subtract(doubt.bound, bound);
      auto range = slack ? rangeOf(*slack, kernel.loopExtents()) : std::nullopt;
      return range && range->low >= 0;
    });
    if (!masked)
      return failure();
  }
  return success();
}

LogicalResult Follower::access(const Access &access) {
  Operation *op = access.op;
  Value stored = access.isStore() ? op->getOperand(1) : Value();
  for (Value operand : op->getOperands())
    if (operand != stored && doubts.contains(operand))
      return failure(); // it decides what is touched
  if (auto storeOp = dyn_cast<StoreOp>(op))
    return store(access, storeOp.getValue());
  if (auto storeOp = dyn_cast<DescriptorStoreOp>(op))
    return store(access, storeOp.getValue());
  if (auto atomic = dyn_cast<AtomicRMWOp>(op))
    return store(access, atomic.getValues()[1]);
  for (const IndexExpr &bound : access.unwrapped)
    join(op->getResult(0), {bound, op});
  return success();
}

/// Every axis of a value as it is.
static SmallVector<int64_t> axesOf(Value value) {
  return llvm::to_vector(llvm::seq<int64_t>(laneShape(value.getType()).size()));
}

LogicalResult Follower::enter(scf::ForOp loop) {
  for (auto [init, argument] :
       llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs()))
    if (failed(pass(loop, init, argument, axesOf(argument))))
      return failure();
  return success();
}

/// To the next iteration, and out.
LogicalResult Follower::yield(scf::YieldOp op) {
  Operation *parent = op->getParentOp();
  auto loop = dyn_cast<scf::ForOp>(parent);
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    for (const Doubt &doubt : doubts.lookup(value))
      if (!doubt.bound.loops.empty())
        return failure();
    if (loop &&
        failed(pass(op, value, loop.getRegionIterArg(i), axesOf(value))))
      return failure();
    if (i < parent->getNumResults() &&
        failed(pass(op, value, parent->getResult(i), axesOf(value))))
      return failure();
  }
  return success();
}

/// Lane by lane, or lanes in other places.
LogicalResult Follower::compute(Operation *op) {
  for (Value result : op->getResults())
    for (Value operand : op->getOperands()) {
      if (!doubts.count(operand))
        continue;
      SmallVector<int64_t> lanes = axesOf(result);
      if (auto expand = dyn_cast<ExpandDimsOp>(op))
        for (int64_t d = 0, axis = 0; d < int64_t(lanes.size()); ++d)
          lanes[d] = d == int64_t(expand.getAxis()) ? -1 : axis++;
      else if (auto trans = dyn_cast<TransOp>(op))
        llvm::copy(trans.getOrder(), lanes.begin());
      else if (!isa<BroadcastOp>(op) &&
               laneShape(operand.getType()) != laneShape(result.getType()))
        return failure();
      if (failed(pass(op, operand, result, lanes)))
        return failure();
    }
  return success();
}

LogicalResult Follower::visit(Operation *op) {
  if (const Access *found = byOp.lookup(op))
    return access(*found);
  if (auto dotOp = dyn_cast<DotOp>(op))
    return dot(dotOp);
  if (auto reduceOp = dyn_cast<ReduceOp>(op))
    return across(reduceOp, /*keepsAxis=*/false);
  if (auto scanOp = dyn_cast<ScanOp>(op))
    return across(scanOp, /*keepsAxis=*/true);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return enter(loop);
  if (auto yielded = dyn_cast<scf::YieldOp>(op))
    return yield(yielded);
  return compute(op);
}

LogicalResult Follower::run() {
  // What a loop carries feeds the next iteration: repeat until nothing is new.
  do {
    changed = false;
    bool failedAny = false;
    kernel.forEachOperation(
        [&](Operation *op) { failedAny = failedAny || failed(visit(op)); });
    if (failedAny)
      return failure();
  } while (changed);
  return success();
}

bool isUnwrappedSafely(const Kernel &kernel, ArrayRef<Access> accesses) {
  return llvm::all_of(
             accesses,
             [](const Access &access) { return access.unwrapped.empty(); }) ||
         succeeded(Follower(kernel, accesses).run());
}

} // namespace drawloom::tt
