// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers that are no affine function of the launch: their table.

#include "Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace drawloom::tt {

IndexExpr Kernel::symbolOf(Value value) const {
  ArrayRef<int64_t> shape = laneShape(value.getType());
  auto found = llvm::find_if(
      symbols, [&](const Symbol &symbol) { return symbol.value == value; });
  unsigned number = found - symbols.begin();
  if (found == symbols.end()) {
    Symbol symbol;
    symbol.value = value;
    symbols.push_back(symbol);
  }
  IndexExpr result(0, shape);
  result.symbols[{number, shape.empty() ? -1 : 0}] = {1, 0};
  return result;
}

bool Kernel::isSymbol(Value value) const {
  return laneShape(value.getType()).empty() &&
         llvm::any_of(symbols, [&](const Symbol &symbol) {
           return symbol.value == value;
         });
}

MaybeIndex Kernel::division(const IndexExpr &inner, int64_t divisor,
                            bool isRemainder) const {
  auto axis = laneAxisOf(inner);
  if (divisor <= 0 || !axis || !inner.wraps.empty())
    return std::nullopt;
  if (MaybeIndex known = findDivision(inner, divisor, isRemainder, symbols))
    return known;
  Symbol symbol;
  symbol.inner = std::make_shared<const IndexExpr>(onOneAxis(inner, *axis));
  symbol.divisor = divisor;
  symbol.isRemainder = isRemainder;
  auto range = rangeOf(inner, extents);
  if (isRemainder)
    symbol.extent = divisor;
  else if (range && range->low >= 0)
    symbol.extent = range->high / divisor + 1;
  symbols.push_back(symbol);
  return findDivision(inner, divisor, isRemainder, symbols);
}

bool Kernel::isLaneData(Value value) const {
  auto differs = [](const IndexExpr &expr) { return expr.hasLaneSymbol(); };
  if (laneShape(value.getType()).empty() &&
      !isa<RankedTensorType>(value.getType()))
    return false;
  if (auto *index = as<IndexExpr>(value))
    return differs(*index);
  auto *condition = as<Condition>(value);
  return condition &&
         (condition->partial || llvm::any_of(condition->terms, differs));
}

bool isIndexArithmetic(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
             arith::RemSIOp, arith::MinSIOp, arith::MaxSIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRSIOp,
             arith::SelectOp>(op);
}

} // namespace drawloom::tt
