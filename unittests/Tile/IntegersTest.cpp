// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What integer operations give: the one place that all rooms ask.

#include "drawloom/Tile/Integers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include <gtest/gtest.h>

using namespace drawloom;
using namespace mlir;

namespace {

struct IntegersTest : testing::Test {
  IntegersTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect>();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
  }
  /// A value of `bits` bits that nothing defines.
  Value any(unsigned bits) { return module->getBody()->addArgument(builder.getIntegerType(bits), loc); }

  template <typename Op> std::optional<int64_t> of(unsigned bits, int64_t a, int64_t b) {
    return tile::evaluate(Op::create(builder, loc, any(bits), any(bits)), {a, b});
  }
  bool holds(arith::CmpIPredicate predicate, unsigned bits, int64_t a, int64_t b) {
    return *tile::evaluate(arith::CmpIOp::create(builder, loc, predicate, any(bits), any(bits)), {a, b});
  }

  MLIRContext context;
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module;
  OpBuilder builder{&context};
};

using P = arith::CmpIPredicate;

} // namespace

TEST_F(IntegersTest, ResultsWrapToTheirWidth) {
  EXPECT_EQ(of<arith::AddIOp>(8, 127, 1), -128);
  EXPECT_EQ(of<arith::MulIOp>(32, 1 << 16, 1 << 15), INT32_MIN);
  EXPECT_EQ(of<arith::AddIOp>(1, 1, 1), 0);
  EXPECT_EQ(of<arith::ShLIOp>(8, 64, 1), -128);
}

TEST_F(IntegersTest, TheSignIsReadWhereTheOperationReadsIt) {
  EXPECT_EQ(of<arith::DivUIOp>(8, -1, 2), 127);
  EXPECT_EQ(of<arith::ShRUIOp>(8, -1, 4), 15);
  EXPECT_EQ(of<arith::ShRSIOp>(8, -16, 2), -4);
  EXPECT_EQ(of<arith::MaxUIOp>(8, -1, 1), -1);
  EXPECT_EQ(of<arith::MinUIOp>(8, -1, 1), 1);
  EXPECT_TRUE(holds(P::slt, 8, -1, 1));
  EXPECT_FALSE(holds(P::ult, 8, -1, 1));
  EXPECT_TRUE(holds(P::slt, 1, 1, 0)); // an i1 of 1 is -1
}

TEST_F(IntegersTest, QuotientsRoundAsNamed) {
  EXPECT_EQ(of<arith::DivSIOp>(32, -7, 2), -3);
  EXPECT_EQ(of<arith::FloorDivSIOp>(32, -7, 2), -4);
  EXPECT_EQ(of<arith::CeilDivSIOp>(32, -7, 2), -3);
  EXPECT_EQ(of<arith::CeilDivUIOp>(32, 7, 2), 4);
  EXPECT_EQ(of<arith::RemSIOp>(32, -7, 2), -1);
}

TEST_F(IntegersTest, SomeHaveNoValue) {
  EXPECT_EQ(of<arith::DivSIOp>(32, 1, 0), std::nullopt);
  EXPECT_EQ(of<arith::RemUIOp>(32, 1, 0), std::nullopt);
  EXPECT_EQ(of<arith::DivSIOp>(64, INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(of<arith::ShLIOp>(8, 1, 8), std::nullopt);
}

TEST_F(IntegersTest, OneBitWidensWithOrWithoutItsSign) {
  Type wide = builder.getI32Type();
  EXPECT_EQ(tile::evaluate(arith::ExtSIOp::create(builder, loc, wide, any(1)), {1}), -1);
  EXPECT_EQ(tile::evaluate(arith::ExtUIOp::create(builder, loc, wide, any(1)), {1}), 1);
}

TEST_F(IntegersTest, AffineOperationsTakeDimensionsThenSymbols) {
  AffineExpr d0 = builder.getAffineDimExpr(0), s0 = builder.getAffineSymbolExpr(0);
  auto map = AffineMap::get(1, 1, {d0.floorDiv(4) + s0, d0 % 3}, &context);
  Value index = arith::ConstantIndexOp::create(builder, loc, 0);
  auto least = affine::AffineMinOp::create(builder, loc, map, ValueRange{index, index});
  EXPECT_EQ(tile::evaluate(least, {-1, 10}), 2);
  EXPECT_EQ(tile::evaluate(d0 % 3, {-1}), 2);
  EXPECT_EQ(tile::evaluate(d0.floorDiv(s0), {5}, {0}), 0); // by zero
}
