// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas in order: which Dst tiles their operations write, and when a tile
// may be written again.

#include "Body/Formula.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>
#include <set>

using namespace drawloom::task;

namespace {

struct ActionsTest : testing::Test {
  int add(Term::Kind kind, const char *function = "", int a = -1, int b = -1, int c = -1) {
    Term term{kind, function, 0, false, {a, b, c}, {}, {}, {}, 0, mlir::UnknownLoc::get(&context)};
    formula.terms.push_back(term);
    for (int operand : {a, b, c})
      if (operand >= 0)
        ++formula.terms[operand].uses;
    return formula.root = static_cast<int>(formula.terms.size()) - 1;
  }
  Actions make(bool matrixUnit = false) {
    ++formula.terms[formula.root].uses;
    return actionsOf(formula, [=](const Term &, const Term &) { return matrixUnit; });
  }

  mlir::MLIRContext context;
  Formula formula;
};

} // namespace

// A mask compares lane numbers in two tiles beside the one it changes, which
// later operations may have.
TEST_F(ActionsTest, AMaskTakesTwoTilesForAWhile) {
  int mask = add(Term::Mask, "", add(Term::Tile));
  add(Term::Binary, "max", mask, add(Term::Tile));
  Actions actions = make();
  ASSERT_EQ(actions.list.size(), 4u);
  const Action &masked = actions.list[1];
  EXPECT_EQ(masked.kind, Action::Mask);
  EXPECT_NE(masked.a, masked.into);
  EXPECT_NE(masked.b, masked.into);
  EXPECT_NE(masked.a, masked.b);
  EXPECT_EQ(actions.temporaries, 3);
}

// What is still needed is not written over: exp works in place, on a copy.
TEST_F(ActionsTest, AnOperandStillNeededIsMoved) {
  int head = add(Term::Head), e = add(Term::Unary, "exp", head);
  add(Term::Select, "select", head, e, add(Term::Fill));
  Actions actions = make();
  ASSERT_EQ(actions.list.size(), 4u);
  EXPECT_EQ(actions.list[0].kind, Action::Move);
  EXPECT_EQ(actions.list[1].into, actions.list[0].into);
  EXPECT_EQ(actions.list[3].a, kHeadTile);
  EXPECT_EQ(actions.result, kHeadTile);
}

// The matrix unit adds a product to what its tile holds.
TEST_F(ActionsTest, AProductOfTheMatrixUnitGetsATileNothingHasWritten) {
  int larger = add(Term::Binary, "max", add(Term::Tile), add(Term::Tile));
  int product = add(Term::Binary, "mul", add(Term::Tile), add(Term::Tile));
  add(Term::Binary, "max", larger, product);
  Actions actions = make(/*matrixUnit=*/true);
  std::set<int> written;
  for (const Action &action : actions.list) {
    if (action.kind == Action::Fpu)
      EXPECT_FALSE(written.contains(action.into));
    written.insert(action.into);
  }
  EXPECT_EQ(actions.temporaries, 3);
}

// Only the second operand is repeated: a sum may change them, a difference not.
TEST_F(ActionsTest, TheMatrixUnitRepeatsItsSecondOperand) {
  int repeated = add(Term::Tile), whole = add(Term::Tile);
  formula.terms[repeated].broadcast = Broadcast::Column;
  add(Term::Binary, "add", repeated, whole);
  EXPECT_EQ(make(true).list.size(), 1u);
  formula.terms[formula.root].function = "sub";
  EXPECT_EQ(make(true).list.size(), 3u);
}
