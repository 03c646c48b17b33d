// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates index arithmetic on one core.

#include "CoreValue.h"

#include "drawloom/Tile/Integers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace drawloom::task;

using Result = std::optional<int64_t>;

Result CoreValues::evaluate(Value value) const {
  if (Result constant = drawloom::tile::constantOf(value))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto found = bound.find(value);
    return found == bound.end() ? Result() : Result(found->second);
  }
  if (auto core = dyn_cast<CoreOp>(op))
    return core.getDim() == CoreDim::X ? x : y;
  SmallVector<int64_t> operands;
  for (Value operand : op->getOperands()) {
    Result known = evaluate(operand);
    if (!known)
      return std::nullopt;
    operands.push_back(*known);
  }
  return operands.empty() ? std::nullopt : drawloom::tile::evaluate(op, operands);
}

bool CoreValues::mayRun(Operation *op) const {
  for (Operation *parent = op->getParentOp(); parent && !isa<KernelOp>(parent);
       op = parent, parent = parent->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(parent);
    if (!branch)
      continue;
    Result condition = evaluate(branch.getCondition());
    bool inThen = op->getParentRegion() == &branch.getThenRegion();
    if (condition && (*condition != 0) != inThen)
      return false;
  }
  return true;
}

bool drawloom::task::dependsOnCore(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<CoreOp>(op) || llvm::any_of(op->getOperands(), dependsOnCore));
}
