// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the integer operations that indices are made of.

#include "IndexValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom::plan {

static std::optional<int64_t> compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
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

static std::optional<int64_t> combine(Operation *op, int64_t a, int64_t b) {
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

std::optional<int64_t> IndexValues::of(Value value) const {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  if (auto constant = getConstantIntValue(value))
    return constant;
  Operation *op = value.getDefiningOp();
  return op ? ofOperation(op) : std::nullopt;
}

std::optional<int64_t> IndexValues::ofMap(AffineMap map, ValueRange operands, bool largest) const {
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

std::optional<int64_t> IndexValues::ofOperation(Operation *op) const {
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

int64_t IndexValues::evaluate(AffineExpr expr, ValueRange at, unsigned dims) const {
  SmallVector<AffineExpr> values(dims, getAffineConstantExpr(0, expr.getContext()));
  for (auto [position, index] : llvm::enumerate(at))
    values[position] = getAffineConstantExpr(orZero(index), expr.getContext());
  auto constant = dyn_cast<AffineConstantExpr>(expr.replaceDims(values));
  return constant ? constant.getValue() : 0;
}

} // namespace drawloom::plan
