// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index and truth values of a kernel as C++ expressions.
#include "Scalars.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

std::string Expression::within(Binding limit) const {
  return binding > limit ? "(" + text + ")" : text;
}

//===-- Which values are known not to be negative ---------------------------//

static bool isNonNegative(Value value);

static bool isNonNegative(AffineExpr expr, AffineMap map, ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() >= 0;
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return isNonNegative(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return isNonNegative(operands[map.getNumDims() + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Mod)
    return true;
  return isNonNegative(binary.getLHS(), map, operands) &&
         isNonNegative(binary.getRHS(), map, operands);
}

static bool areNonNegative(ValueRange values) {
  return llvm::all_of(values, [](Value value) { return isNonNegative(value); });
}

static bool isNonNegative(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    return loop && value == loop.getInductionVar() &&
           isNonNegative(loop.getLowerBound());
  }
  auto inMap = [](auto affine) {
    return [affine](AffineExpr expr) mutable {
      return isNonNegative(expr, affine.getAffineMap(), affine.getOperands());
    };
  };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return inMap(apply)(apply.getAffineMap().getResult(0));
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return llvm::all_of(min.getAffineMap().getResults(), inMap(min));
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return llvm::any_of(max.getAffineMap().getResults(), inMap(max));
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<IntegerAttr>(constant.getValue()) &&
           !cast<IntegerAttr>(constant.getValue()).getValue().isNegative();
  return isa<task::CoreOp>(op) ||
         (isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
              arith::RemSIOp, arith::RemUIOp, arith::MinSIOp>(op) &&
          areNonNegative(op->getOperands()));
}

//===-- What can be printed -------------------------------------------------//

static bool isUnsigned(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate() >= arith::CmpIPredicate::ult;
  return isa<arith::DivUIOp, arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp>(
      op);
}

bool metalium::isScalarOperation(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Type type = op->getResult(0).getType();
  // Kernels compute in int32_t: unsigned operations are the signed ones there.
  if (isUnsigned(op) && !areNonNegative(op->getOperands()))
    return false;
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return type.isInteger(1);
  return (type.isIndex() || type.isInteger(1)) &&
         isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp, arith::RemSIOp, arith::RemUIOp, arith::MinSIOp,
             arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp, arith::CmpIOp,
             arith::SelectOp, arith::IndexCastOp, arith::IndexCastUIOp,
             affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
             op);
}

//===-- Affine expressions --------------------------------------------------//

Expression Scalars::call(Helper helper, const Expression &lhs,
                         const Expression &rhs) {
  helpers.insert(helper);
  return {nameOf(helper).str() + "(" + lhs.text + ", " + rhs.text + ")"};
}

/// The positive part of a subtrahend: 3 for -3, `2 * k` for `k * -2`.
static AffineExpr subtrahend(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() < 0 ? -expr : AffineExpr();
  if (expr.getKind() != AffineExprKind::Mul)
    return {};
  auto factor =
      dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(expr).getRHS());
  return factor && factor.getValue() < 0 ? -expr : AffineExpr();
}

static Expression join(const Expression &lhs, StringRef sign,
                       const Expression &rhs, Binding binding) {
  // Sums and products group from the left; the rest is clearer in parentheses.
  const bool groups = binding <= Binding::Sum;
  Binding tighter = groups ? static_cast<Binding>(static_cast<int>(binding) - 1)
                           : Binding::Sum;
  return {lhs.within(groups ? binding : tighter) + " " + sign.str() + " " +
              rhs.within(tighter),
          binding};
}

static void flatten(AffineExpr expr, SmallVectorImpl<AffineExpr> &terms) {
  if (expr.getKind() != AffineExprKind::Add) {
    terms.push_back(expr);
    return;
  }
  auto sum = cast<AffineBinaryOpExpr>(expr);
  flatten(sum.getLHS(), terms);
  flatten(sum.getRHS(), terms);
}

/// `32 - 2 * k`, not `-2 * k + 32`.
Expression Scalars::sum(AffineExpr expr, AffineMap map, ValueRange operands) {
  SmallVector<AffineExpr> terms;
  flatten(expr, terms);
  if (subtrahend(terms.front()))
    llvm::stable_sort(terms, [](AffineExpr a, AffineExpr b) {
      return !subtrahend(a) && subtrahend(b);
    });
  Expression result = affine(terms.front(), map, operands);
  for (AffineExpr term : llvm::drop_begin(terms)) {
    AffineExpr positive = subtrahend(term);
    result =
        join(result, positive ? "-" : "+",
             affine(positive ? positive : term, map, operands), Binding::Sum);
  }
  return result;
}

Expression Scalars::affine(AffineExpr expr, AffineMap map,
                           ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {std::to_string(constant.getValue())};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return use(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return use(operands[map.getNumDims() + symbol.getPosition()]);
  auto parts = cast<AffineBinaryOpExpr>(expr);
  AffineExpr left = parts.getLHS(), right = parts.getRHS();
  auto print = [&](AffineExpr part) { return affine(part, map, operands); };
  const bool plain = isNonNegative(left, map, operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return sum(expr, map, operands);
  case AffineExprKind::Mul:
    if (isa<AffineConstantExpr>(right))
      std::swap(left, right);
    if (left == getAffineConstantExpr(-1, expr.getContext()))
      return {"-" + print(right).within(Binding::Atom), Binding::Product};
    return join(print(left), "*", print(right), Binding::Product);
  case AffineExprKind::FloorDiv:
    return plain ? join(print(left), "/", print(right), Binding::Product)
                 : call(Helper::FloorDivide, print(left), print(right));
  case AffineExprKind::CeilDiv:
    return call(Helper::CeilDivide, print(left), print(right));
  default:
    return plain ? join(print(left), "%", print(right), Binding::Product)
                 : call(Helper::Modulo, print(left), print(right));
  }
}

Expression Scalars::extremum(AffineMap map, ValueRange operands,
                             Helper helper) {
  Expression result = affine(map.getResult(0), map, operands);
  for (AffineExpr expr : map.getResults().drop_front())
    result = call(helper, result, affine(expr, map, operands));
  return result;
}

//===-- Operations ----------------------------------------------------------//

Expression Scalars::binary(Operation *op, StringRef sign, Binding binding) {
  return join(use(op->getOperand(0)), sign, use(op->getOperand(1)), binding);
}

static StringRef signOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return "<";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return "<=";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return ">";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return ">=";
  }
  llvm_unreachable("unknown predicate");
}

static std::string literal(arith::ConstantOp constant) {
  if (auto truth = dyn_cast<BoolAttr>(constant.getValue()))
    return truth.getValue() ? "true" : "false";
  return std::to_string(cast<IntegerAttr>(constant.getValue()).getInt());
}

/// MLIR says `not` as exclusive or with true.
Expression Scalars::exclusiveOr(Operation *op) {
  if (matchPattern(op->getOperand(1), m_One()))
    return {"!" + use(op->getOperand(0)).within(Binding::Atom)};
  return binary(op, "!=", Binding::Comparison);
}

Expression Scalars::compute(Value value) {
  Operation *op = value.getDefiningOp();
  auto helper = [&](Helper which) {
    return call(which, use(op->getOperand(0)), use(op->getOperand(1)));
  };
  return llvm::TypeSwitch<Operation *, Expression>(op)
      .Case([&](arith::ConstantOp constant) -> Expression {
        return {literal(constant)};
      })
      .Case([&](affine::AffineApplyOp apply) {
        return affine(apply.getAffineMap().getResult(0), apply.getAffineMap(),
                      apply.getMapOperands());
      })
      .Case([&](affine::AffineMinOp min) {
        return extremum(min.getAffineMap(), min.getOperands(), Helper::Smaller);
      })
      .Case([&](affine::AffineMaxOp max) {
        return extremum(max.getAffineMap(), max.getOperands(), Helper::Larger);
      })
      .Case([&](arith::CmpIOp compare) {
        return binary(op, signOf(compare.getPredicate()), Binding::Comparison);
      })
      .Case([&](arith::SelectOp select) -> Expression {
        return {use(select.getCondition()).within(Binding::Logic) + " ? " +
                    use(select.getTrueValue()).within(Binding::Logic) + " : " +
                    use(select.getFalseValue()).within(Binding::Logic),
                Binding::Choice};
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>(
          [&](Operation *) { return use(op->getOperand(0)); })
      .Case([&](arith::AddIOp) { return binary(op, "+", Binding::Sum); })
      .Case([&](arith::SubIOp) { return binary(op, "-", Binding::Sum); })
      .Case([&](arith::MulIOp) { return binary(op, "*", Binding::Product); })
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [&](Operation *) { return binary(op, "/", Binding::Product); })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](Operation *) { return binary(op, "%", Binding::Product); })
      .Case([&](arith::FloorDivSIOp) { return helper(Helper::FloorDivide); })
      .Case([&](arith::CeilDivSIOp) { return helper(Helper::CeilDivide); })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [&](Operation *) { return helper(Helper::Smaller); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [&](Operation *) { return helper(Helper::Larger); })
      .Case([&](arith::AndIOp) { return binary(op, "&&", Binding::Logic); })
      .Case([&](arith::OrIOp) { return binary(op, "||", Binding::Logic); })
      .Case([&](arith::XOrIOp) { return exclusiveOr(op); })
      .DefaultUnreachable("checked before printing");
}

Expression Scalars::use(Value value) {
  auto named = names.find(value);
  return named != names.end() ? Expression{named->second} : compute(value);
}
