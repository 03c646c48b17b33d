// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers that are no affine function of the launch: their table.

#include "Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

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

/// The largest factor of `divisor` in steps of which everything but lanes moves.
static int64_t stepOf(const IndexExpr &a, int64_t divisor) {
  int64_t step = divisor;
  for (auto [loop, factor] : a.loops)
    step = std::gcd(step, factor);
  for (auto &[use, term] : a.symbols)
    if (use.axis < 0)
      step = std::gcd(step, term.factor);
  for (size_t program = 0; program < a.base.size(); ++program)
    step = std::gcd(step, a.base[program] - a.base.min());
  return step;
}

/// The parts of `a` that move with lanes, and from where in [0, step).
static IndexExpr lanesOf(const IndexExpr &a, int64_t step) {
  IndexExpr lanes = a;
  lanes.loops.clear();
  std::erase_if(lanes.symbols, [](auto &term) { return term.first.axis < 0; });
  int64_t low = a.base.min();
  lanes.base = low - step * llvm::divideFloorSigned(low, step);
  return lanes;
}

MaybeIndex Kernel::evenDivision(const IndexExpr &inner, int64_t divisor,
                                bool isRemainder) const {
  if (divisor <= 0 || !inner.wraps.empty())
    return std::nullopt;
  int64_t step = stepOf(inner, divisor);
  IndexExpr lanes = lanesOf(inner, step);
  auto range = rangeOf(lanes, extents);
  MaybeIndex rest = subtract(inner, lanes);
  if (step < 2 || !range || range->low < 0 || range->high >= step || !rest)
    return std::nullopt;
  // inner = step * blocks + lanes
  IndexExpr blocks = *rest;
  blocks.base = *Column::map(rest->base, step, [](int64_t value, int64_t by) {
    return std::optional(value / by);
  });
  for (auto &[loop, factor] : blocks.loops)
    factor /= step;
  for (auto &[use, term] : blocks.symbols)
    term.factor /= step;
  int64_t left = divisor / step;
  MaybeIndex high = isRemainder ? modulo(blocks, left, extents)
                    : left == 1 ? MaybeIndex(blocks)
                                : divide(blocks, left, extents);
  if (!high || !high->wraps.empty())
    high = division(blocks, left, isRemainder);
  if (!isRemainder || !high)
    return high;
  MaybeIndex whole = scale(*high, step);
  return whole ? add(*whole, lanes) : std::nullopt;
}

MaybeIndex Kernel::division(const IndexExpr &inner, int64_t divisor,
                            bool isRemainder) const {
  if (!inner.wraps.empty()) {
    MaybeIndex exact = withoutWraps(inner, symbols);
    return exact ? division(*exact, divisor, isRemainder) : std::nullopt;
  }
  auto axis = laneAxisOf(inner);
  if (divisor <= 0 || !axis)
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
