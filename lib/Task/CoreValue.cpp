// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates index arithmetic on one core.

#include "CoreValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace drawloom::task;

using Result = std::optional<int64_t>;

static bool compare(arith::CmpIPredicate predicate, int64_t l, int64_t r) {
  auto ul = static_cast<uint64_t>(l), ur = static_cast<uint64_t>(r);
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
  case arith::CmpIPredicate::ult:
    return ul < ur;
  case arith::CmpIPredicate::ule:
    return ul <= ur;
  case arith::CmpIPredicate::ugt:
    return ul > ur;
  case arith::CmpIPredicate::uge:
    return ul >= ur;
  }
  llvm_unreachable("all predicates are listed");
}

/// `l / r` and its like; nothing for a division by zero.
static Result divided(int64_t l, int64_t r, llvm::function_ref<int64_t(int64_t, int64_t)> divide) {
  return r == 0 ? Result() : Result(divide(l, r));
}

static int64_t floorDiv(int64_t l, int64_t r) { return llvm::divideFloorSigned(l, r); }
static int64_t ceilDiv(int64_t l, int64_t r) { return llvm::divideCeilSigned(l, r); }
static int64_t floorMod(int64_t l, int64_t r) { return l - floorDiv(l, r) * r; }

/// `expr` over the values of its dimensions, then its symbols.
static Result evaluate(AffineExpr expr, ArrayRef<int64_t> operands, unsigned dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[dims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Result l = evaluate(binary.getLHS(), operands, dims), r = evaluate(binary.getRHS(), operands, dims);
  if (!l || !r)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return *l + *r;
  case AffineExprKind::Mul:
    return *l * *r;
  case AffineExprKind::FloorDiv:
    return divided(*l, *r, floorDiv);
  case AffineExprKind::CeilDiv:
    return divided(*l, *r, ceilDiv);
  default:
    return divided(*l, *r, floorMod);
  }
}

/// The smallest (or largest) of a map's results; its only one of an apply.
static Result evaluate(AffineMap map, ArrayRef<int64_t> operands, bool smallest) {
  Result best;
  for (AffineExpr expr : map.getResults()) {
    Result value = evaluate(expr, operands, map.getNumDims());
    if (!value)
      return std::nullopt;
    if (!best || (smallest ? *value < *best : *value > *best))
      best = value;
  }
  return best;
}

/// An operation of operands `v`.
static Result evaluate(Operation *op, ArrayRef<int64_t> v) {
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](affine::AffineApplyOp apply) { return evaluate(apply.getAffineMap(), v, true); })
      .Case([&](affine::AffineMinOp least) { return evaluate(least.getMap(), v, true); })
      .Case([&](affine::AffineMaxOp most) { return evaluate(most.getMap(), v, false); })
      .Case([&](arith::CmpIOp cmp) { return compare(cmp.getPredicate(), v[0], v[1]); })
      .Case([&](arith::SelectOp) { return v[0] ? v[1] : v[2]; })
      .Case([&](arith::AddIOp) { return v[0] + v[1]; })
      .Case([&](arith::SubIOp) { return v[0] - v[1]; })
      .Case([&](arith::MulIOp) { return v[0] * v[1]; })
      .Case([&](arith::AndIOp) { return v[0] & v[1]; })
      .Case([&](arith::OrIOp) { return v[0] | v[1]; })
      .Case([&](arith::XOrIOp) { return v[0] ^ v[1]; })
      .Case([&](arith::MinSIOp) { return std::min(v[0], v[1]); })
      .Case([&](arith::MaxSIOp) { return std::max(v[0], v[1]); })
      .Case([&](arith::DivSIOp) { return divided(v[0], v[1], std::divides<int64_t>()); })
      .Case([&](arith::RemSIOp) { return divided(v[0], v[1], std::modulus<int64_t>()); })
      .Case([&](arith::FloorDivSIOp) { return divided(v[0], v[1], floorDiv); })
      .Case([&](arith::CeilDivSIOp) { return divided(v[0], v[1], ceilDiv); })
      .Default(std::nullopt);
}

Result CoreValues::evaluate(Value value) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return value.getType().isInteger(1) ? constant.getZExtValue() : constant.getSExtValue();
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
  return ::evaluate(op, operands);
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
