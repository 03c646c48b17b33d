// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates index arithmetic on one core.

#include "CoreValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom::task;

static std::optional<int64_t> compare(arith::CmpIPredicate predicate, int64_t l, int64_t r) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return l == r;
  case arith::CmpIPredicate::ne:
    return l != r;
  case arith::CmpIPredicate::slt:
    return l < r;
  case arith::CmpIPredicate::sle:
    return l <= r;
  case arith::CmpIPredicate::sgt:
    return l > r;
  case arith::CmpIPredicate::sge:
    return l >= r;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> CoreValues::evaluate(Value value) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return value.getType().isInteger(1) ? constant.getZExtValue() : constant.getSExtValue();
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto core = dyn_cast<CoreOp>(op))
    return core.getDim() == CoreDim::X ? x : y;
  SmallVector<int64_t> operands;
  for (Value operand : op->getOperands()) {
    auto known = evaluate(operand);
    if (!known)
      return std::nullopt;
    operands.push_back(*known);
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    SmallVector<AffineExpr> exprs;
    for (int64_t operand : operands)
      exprs.push_back(getAffineConstantExpr(operand, op->getContext()));
    ArrayRef<AffineExpr> all(exprs);
    auto result = dyn_cast<AffineConstantExpr>(map.getResult(0).replaceDimsAndSymbols(
        all.take_front(map.getNumDims()), all.drop_front(map.getNumDims())));
    return result ? std::optional<int64_t>(result.getValue()) : std::nullopt;
  }
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return compare(cmp.getPredicate(), operands[0], operands[1]);
  if (isa<arith::AndIOp>(op))
    return operands[0] & operands[1];
  if (isa<arith::OrIOp>(op))
    return operands[0] | operands[1];
  if (isa<arith::AddIOp>(op))
    return operands[0] + operands[1];
  if (isa<arith::SubIOp>(op))
    return operands[0] - operands[1];
  return std::nullopt;
}

bool CoreValues::mayRun(Operation *op) const {
  for (Operation *parent = op->getParentOp(); parent && !isa<KernelOp>(parent);
       op = parent, parent = parent->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(parent);
    if (!branch)
      continue;
    auto condition = evaluate(branch.getCondition());
    bool inThen = op->getParentRegion() == &branch.getThenRegion();
    if (condition && (*condition != 0) != inThen)
      return false;
  }
  return true;
}
