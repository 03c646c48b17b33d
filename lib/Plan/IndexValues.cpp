// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows indices to the ones that are set.

#include "IndexValues.h"

#include "drawloom/Tile/Integers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace drawloom::plan {

std::optional<int64_t> IndexValues::of(Value value) const {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  if (auto constant = tile::constantOf(value))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  // What the other case of a selection is may be unknown.
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto condition = of(select.getCondition());
    return condition ? of(*condition ? select.getTrueValue() : select.getFalseValue())
                     : std::nullopt;
  }
  SmallVector<int64_t> operands;
  for (Value operand : op->getOperands()) {
    auto value = of(operand);
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  return operands.empty() ? std::nullopt : tile::evaluate(op, operands);
}

int64_t IndexValues::evaluate(AffineExpr expr, ValueRange at, unsigned dims) const {
  SmallVector<int64_t> point(dims, 0);
  for (auto [position, index] : llvm::enumerate(at))
    point[position] = orZero(index);
  return tile::evaluate(expr, point);
}

} // namespace drawloom::plan
