// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of f32 operands: how many, and what they leave.
#include "Machines.h"
#include "drawloom/Machine/ExactParts.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace drawloom;

TEST(ExactParts, HoldAFloatInTheMultipliersWidths) {
  ExactParts parts(*load("wormhole").matrixNumbers());
  EXPECT_EQ(parts.left.bits, 7);
  EXPECT_EQ(parts.left.count, 4);
  EXPECT_EQ(parts.right.bits, 5);
  EXPECT_EQ(parts.right.count, 5);
  EXPECT_EQ(parts.products.size(), 13u);
  EXPECT_EQ(parts.products.back(), std::pair(0, 0)) << "the largest comes last";
  EXPECT_LT(parts.leftOut, 0x1p-21);
}

/// An operand, cut as the vector unit cuts it.
TEST(ExactParts, AreSmallIntegersThatAddUp) {
  ExactParts parts(*load("blackhole").matrixNumbers());
  for (const OperandParts &operand : {parts.left, parts.right}) {
    float largest = 1.999f, rest = -0.7654321f, sum = 0;
    float rounder = static_cast<float>(operand.rounder()); // over a power of 1
    for (int i = 0; i < operand.count; ++i) {
      float part = (rest + rounder) - rounder;
      float unit = std::ldexp(1.0f, 2 - operand.bits * (i + 1));
      EXPECT_EQ(std::fmod(part, unit), 0);
      EXPECT_LE(std::abs(part) / unit, std::ldexp(1.0f, operand.bits - 1));
      rest -= part, sum += part;
      rounder = std::ldexp(rounder, -operand.bits);
    }
    EXPECT_LE(std::abs(-0.7654321f - sum), leftOutBy(operand) * largest);
  }
}
