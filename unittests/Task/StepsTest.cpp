// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions in order, and the Dst tiles they take.

#include "Expression.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace drawloom::task;

namespace {

struct StepsTest : testing::Test {
  int add(Node::Kind kind, const char *function = "", int lhs = -1, int rhs = -1) {
    Node node{kind, function, 0, lhs, rhs, {}, {}, false, false, 0, mlir::UnknownLoc::get(&context)};
    expression.nodes.push_back(node);
    for (int operand : {lhs, rhs})
      if (operand >= 0)
        ++expression.nodes[operand].uses;
    return expression.root = static_cast<int>(expression.nodes.size()) - 1;
  }
  Steps make(bool matrixUnit) {
    ++expression.nodes[expression.root].uses;
    return stepsOf(expression, [=](const Node &) { return matrixUnit; });
  }

  mlir::MLIRContext context;
  Expression expression;
};

} // namespace

TEST_F(StepsTest, TwoBufferedTilesAreOneOperationOfTheMatrixUnit) {
  int x = add(Node::Tile), y = add(Node::Tile);
  add(Node::Binary, "mul", x, y);
  Steps steps = make(true);
  ASSERT_EQ(steps.steps.size(), 1u);
  EXPECT_EQ(steps.steps[0].kind, Step::Fpu);
  EXPECT_EQ(steps.temporaries, 1);
}

TEST_F(StepsTest, WideTilesGoThroughDst) {
  int x = add(Node::Tile), y = add(Node::Tile);
  add(Node::Binary, "add", x, y);
  Steps steps = make(false);
  ASSERT_EQ(steps.steps.size(), 3u);
  EXPECT_EQ(steps.steps[2].kind, Step::Binary);
  EXPECT_EQ(steps.temporaries, 2);
}

// acc * sigmoid(acc): the function works in place, so the accumulator, still
// needed, is moved first.
TEST_F(StepsTest, AnOperandStillNeededIsMoved) {
  int acc = add(Node::Accumulator), f = add(Node::Unary, "sigmoid", acc);
  add(Node::Binary, "mul", acc, f);
  Steps steps = make(false);
  ASSERT_EQ(steps.steps.size(), 3u);
  EXPECT_EQ(steps.steps[0].kind, Step::Move);
  EXPECT_EQ(steps.steps[1].into, steps.steps[0].into);
  EXPECT_EQ(steps.steps[2].lhs, kAccumulator);
  EXPECT_EQ(steps.result, kAccumulator);
  EXPECT_EQ(steps.temporaries, 1);
}

// A long sum needs two tiles at a time, however long it is.
TEST_F(StepsTest, TilesAreUsedAgain) {
  int sum = add(Node::Tile);
  for (int i = 0; i < 8; ++i)
    sum = add(Node::Binary, "max", sum, add(Node::Tile));
  EXPECT_EQ(make(true).temporaries, 2);
}

TEST_F(StepsTest, ASquareUsesItsOperandOnce) {
  int acc = add(Node::Accumulator);
  add(Node::Binary, "mul", acc, acc);
  Steps steps = make(false);
  ASSERT_EQ(steps.steps.size(), 1u);
  EXPECT_EQ(steps.steps[0].into, kAccumulator);
  EXPECT_EQ(steps.temporaries, 0);
}
