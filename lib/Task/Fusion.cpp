// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises formulas by their factors.

#include "Fusion.h"

#include "Expression.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {
/// A product: its constant, and its other factors.
struct Product {
  double constant = 1;
  SmallVector<Value> factors;
};
} // namespace

/// Takes a product apart, `depth` multiplications deep.
static void collect(Value value, Product &product, unsigned depth = 4) {
  value = withoutCasts(value);
  if (auto constant = splatOf(value)) {
    product.constant *= *constant;
    return;
  }
  auto mul = value.getDefiningOp<arith::MulFOp>();
  if (!mul || depth == 0) {
    product.factors.push_back(value);
    return;
  }
  collect(mul.getLhs(), product, depth - 1);
  collect(mul.getRhs(), product, depth - 1);
}

static bool isNear(double value, double expected) { return std::abs(value - expected) < 1e-5; }

/// The x of `1 + erf(x / sqrt(2))`, as it stands in the product inside.
static std::optional<Product> operandOfErf(Value value) {
  auto add = value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  for (auto [one, other] : {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())}) {
    auto erf = withoutCasts(other).getDefiningOp<math::ErfOp>();
    auto constant = splatOf(one);
    if (!erf || !constant || *constant != 1)
      continue;
    Product inside;
    collect(erf.getOperand(), inside);
    return inside;
  }
  return std::nullopt;
}

std::optional<FusedFunction> drawloom::task::fusedFunction(Operation *op) {
  if (!isa<arith::MulFOp>(op))
    return std::nullopt;
  Product product;
  collect(op->getResult(0), product);
  if (product.factors.size() != 2 || !isNear(product.constant, 0.5))
    return std::nullopt;
  for (int i : {0, 1}) {
    auto inside = operandOfErf(product.factors[i]);
    if (inside && inside->factors.size() == 1 && inside->factors[0] == product.factors[1 - i] &&
        isNear(inside->constant, std::numbers::sqrt2 / 2))
      return FusedFunction{"gelu", product.factors[1 - i]};
  }
  return std::nullopt;
}
