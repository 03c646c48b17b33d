// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a kernel reaches memory or decides what runs.

#include "Live.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace drawloom::tt {

static bool isRoot(Operation *op) {
  return isa<StoreOp, DescriptorStoreOp, AtomicRMWOp, AtomicCASOp,
             cf::CondBranchOp>(op);
}

llvm::DenseSet<Operation *> liveOperations(const Kernel &kernel) {
  llvm::DenseSet<Operation *> live;
  SmallVector<Operation *> rest;
  auto reach = [&](Operation *op) {
    for (; op && op != kernel.function; op = op->getParentOp())
      if (live.insert(op).second)
        rest.push_back(op);
  };
  kernel.forEachOperation([&](Operation *op) {
    if (isRoot(op))
      reach(op);
  });
  while (!rest.empty()) {
    Operation *op = rest.pop_back_val();
    for (Value operand : op->getOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand))
        reach(argument.getOwner()->getParentOp());
      else
        reach(operand.getDefiningOp());
    for (Region &region : op->getRegions())
      if (!region.empty() && isa<scf::ForOp, scf::IfOp>(op))
        reach(region.front().getTerminator());
  }
  return live;
}

namespace {
class Collector {
public:
  explicit Collector(const Kernel &kernel) : kernel(kernel) {}
  void visit(Operation *op);
  std::vector<std::pair<IndexExpr, Operation *>> found;

private:
  void add(Value value, Operation *user);
  bool isAskedFor(Value result) const {
    return kernel.isData(result) || kernel.isLaneData(result);
  }
  const Kernel &kernel;
};
} // namespace

void Collector::add(Value value, Operation *user) {
  if (auto *index = kernel.as<IndexExpr>(value); index && !index->constant())
    found.push_back({*index, user});
  if (auto *condition = kernel.as<Condition>(value))
    for (const IndexExpr &term : condition->terms)
      found.push_back({term, user});
}

void Collector::visit(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op)) {
    for (Value value : load.getMasking())
      add(value, op);
  } else if (isa<StoreOp, DescriptorStoreOp, AtomicRMWOp>(op)) {
    for (Value value : op->getOperands().drop_front())
      add(value, op);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, argument] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs()))
      if (kernel.isData(argument))
        add(init, op);
  } else if (isa<scf::YieldOp>(op)) {
    for (auto [value, result] :
         llvm::zip(op->getOperands(), op->getParentOp()->getResults()))
      if (kernel.isData(result) || isa<scf::IfOp>(op->getParentOp()))
        add(value, op);
  } else if (isa<scf::IfOp, cf::CondBranchOp>(op)) {
    add(op->getOperand(0), op);
  } else {
    bool asked = llvm::any_of(op->getResults(),
                              [&](Value result) { return isAskedFor(result); });
    bool opaque = isIndexArithmetic(op) && kernel.isSymbol(op->getResult(0));
    if (asked || opaque)
      for (Value value : op->getOperands())
        add(value, op);
  }
}

std::vector<std::pair<IndexExpr, Operation *>>
indicesAsData(const Kernel &kernel) {
  auto live = liveOperations(kernel);
  Collector collector(kernel);
  kernel.forEachOperation([&](Operation *op) {
    if (live.contains(op))
      collector.visit(op);
  });
  return std::move(collector.found);
}

} // namespace drawloom::tt
