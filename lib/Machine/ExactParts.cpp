// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which parts of f32 operands, and which of their products.

#include "drawloom/Machine/ExactParts.h"
#include <cmath>

using namespace drawloom;

/// Significand bits of a 32-bit float, hidden bit included.
static constexpr int kFloatBits = 24;

static OperandParts partsOf(int bits) { return {bits, (kFloatBits + bits - 1) / bits}; }

double OperandParts::rounder() const { return std::ldexp(1.5, kFloatBits - 1 + 2 - bits); }

double drawloom::leftOutBy(const OperandParts &parts) {
  // Half a unit of the last part.
  return std::ldexp(1.0, 1 - parts.bits * parts.count);
}

ExactParts::ExactParts(const MatrixNumbers &numbers)
    : left(partsOf(numbers.leftBits)), right(partsOf(numbers.rightBits)) {
  // Each operand's remainder meets the other's first part, twice its p.
  leftOut = 2 * leftOutBy(left) + 2 * leftOutBy(right);
  auto weight = [&](std::pair<int, int> pair) { return left.bits * pair.first + right.bits * pair.second; };
  for (int i = 0; i < left.count; ++i)
    for (int j = 0; j < right.count; ++j) {
      if (weight({i, j}) <= kFloatBits)
        products.push_back({i, j});
      else
        leftOut += std::ldexp(4.0, -weight({i, j}));
    }
  llvm::stable_sort(products, [&](auto a, auto b) { return weight(a) > weight(b); });
}
