// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector unit's functions: accuracy against double, special values, stores.

#include "drawloom/Sim/Numbers/Vector.h"
#include "TestTiles.h"

#include <gtest/gtest.h>

using namespace drawloom;
using namespace drawloom::sim;
using namespace drawloom::sim::test;

namespace {

struct UnaryCase {
  VectorUnary op;
  const char *name;
  long double (*exact)(long double);
  float low, high;
};

long double sigmoid(long double x) { return 1 / (1 + std::exp(-x)); }
long double geluTanh(long double x) {
  return x *
         sigmoid(2 * 0.797884560802865355879892L * (x + 0.044715L * x * x * x));
}

const UnaryCase kUnaryCases[] = {
    {VectorUnary::Exp, "exp", [](long double x) { return std::exp(x); }, -86,
     88},
    {VectorUnary::Exp2, "exp2", [](long double x) { return std::exp2(x); },
     -125, 127},
    {VectorUnary::Log, "log", [](long double x) { return std::log(x); }, 1e-30f,
     1e30f},
    {VectorUnary::Log, "log1", [](long double x) { return std::log(x); }, 0.9f,
     1.1f},
    {VectorUnary::Log2, "log2", [](long double x) { return std::log2(x); },
     0.01f, 100},
    {VectorUnary::Sqrt, "sqrt", [](long double x) { return std::sqrt(x); }, 0,
     1e30f},
    {VectorUnary::Rsqrt, "rsqrt",
     [](long double x) { return 1 / std::sqrt(x); }, 1e-30f, 1e3f},
    {VectorUnary::Recip, "recip", [](long double x) { return 1 / x; }, -1e3f,
     1e3f},
    {VectorUnary::Sigmoid, "sigmoid", sigmoid, -80, 80},
    {VectorUnary::Silu, "silu", [](long double x) { return x * sigmoid(x); },
     -80, 80},
    {VectorUnary::Tanh, "tanh", [](long double x) { return std::tanh(x); }, -10,
     10},
    {VectorUnary::Tanh, "tanh0", [](long double x) { return std::tanh(x); },
     -1e-3f, 1e-3f},
    {VectorUnary::GeluErf, "gelu_erf",
     [](long double x) {
       return x / 2 * std::erfc(-x * 0.707106781186547524401L);
     },
     -5, 5},
    {VectorUnary::GeluTanh, "gelu_tanh", geluTanh, -5, 5},
    {VectorUnary::Erf, "erf", [](long double x) { return std::erf(x); }, -4, 4},
    {VectorUnary::Square, "square", [](long double x) { return x * x; }, -100,
     100},
    {VectorUnary::Sin, "sin", [](long double x) { return std::sin(x); }, -100,
     100},
    {VectorUnary::Cos, "cos", [](long double x) { return std::cos(x); }, -100,
     100},
    {VectorUnary::Floor, "floor", [](long double x) { return std::floor(x); },
     -100, 100},
    {VectorUnary::Ceil, "ceil", [](long double x) { return std::ceil(x); },
     -100, 100},
};

struct UnaryTest : testing::TestWithParam<UnaryCase> {};

TEST_P(UnaryTest, WithinOneUnitOfTheLastPlace) {
  const UnaryCase &c = GetParam();
  std::mt19937 rng(1);
  std::uniform_real_distribution<float> uniform(c.low, c.high);
  for (int repeat = 0; repeat < 20; ++repeat) {
    DstTile in, wide, narrow;
    for (uint32_t &b : in.bits)
      b = bitsOf(uniform(rng));
    wide = in;
    for (int i = 0; i < kTileElements; ++i)
      narrow.bits[i] = in.bits[i] & 0xFFFF0000;
    DstTile narrowIn = narrow;
    applyUnary(c.op, wide, DstWidth::Bits32, NumberModel());
    applyUnary(c.op, narrow, DstWidth::Bits16, NumberModel());
    for (int i = 0; i < kTileElements; ++i) {
      long double exact = c.exact(floatOf(in.bits[i]));
      ASSERT_LE(std::abs(floatOf(wide.bits[i]) - exact),
                std::abs(exact) * 0x1p-23L + 0x1p-126L)
          << floatOf(in.bits[i]);
      exact = c.exact(floatOf(narrowIn.bits[i]));
      ASSERT_LE(std::abs(floatOf(narrow.bits[i]) - exact),
                std::abs(exact) * 0x1.001p-8L + 0x1p-126L)
          << floatOf(narrowIn.bits[i]);
      ASSERT_EQ(narrow.bits[i] & 0xFFFF, 0u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnaryTest, testing::ValuesIn(kUnaryCases),
                         [](const auto &info) { return info.param.name; });

uint32_t unary(VectorUnary op, float x, DstWidth width = DstWidth::Bits32) {
  DstTile dst;
  dst.bits[0] = bitsOf(x);
  applyUnary(op, dst, width, NumberModel());
  return dst.bits[0];
}

uint32_t binary(VectorBinary op, float x, float y,
                DstWidth width = DstWidth::Bits32,
                NumberModel model = NumberModel()) {
  DstTile a, b;
  a.bits[0] = bitsOf(x);
  b.bits[0] = bitsOf(y);
  applyBinary(op, a, b, a, width, model);
  return a.bits[0];
}

TEST(VectorUnary, ApproximateExponentials) {
  for (int i = -8700; i < 8870; ++i) {
    float x = i / 100.0f, power = x * 1.44269504f;
    double bound = std::exp(x) * 0x1p-5, narrow = std::exp(x) * (0x1p-5 + 0x1p-7);
    EXPECT_NEAR(floatOf(unary(VectorUnary::ExpApprox, x)), std::exp(double(x)), bound) << x;
    EXPECT_NEAR(floatOf(unary(VectorUnary::ExpApprox, x, DstWidth::Bits16)), std::exp(double(x)), narrow) << x;
    EXPECT_NEAR(floatOf(unary(VectorUnary::Exp2Approx, power)), std::exp2(double(power)), bound) << x;
  }
  // Masked lanes vanish; what overflows is no number, unlike an accurate e^x.
  EXPECT_EQ(unary(VectorUnary::ExpApprox, -INFINITY), 0u);
  EXPECT_EQ(unary(VectorUnary::Exp2Approx, -1000), 0u);
  EXPECT_EQ(unary(VectorUnary::ExpApprox, INFINITY), 0x7FC00000u);
  EXPECT_EQ(unary(VectorUnary::ExpApprox, NAN), 0x7FC00000u);
}

TEST(VectorUnary, SpecialValues) {
  const uint32_t inf = bitsOf(INFINITY), nan = 0x7FC00000;
  EXPECT_EQ(unary(VectorUnary::Exp, -INFINITY), 0u);
  EXPECT_EQ(unary(VectorUnary::Exp, INFINITY), inf);
  EXPECT_EQ(unary(VectorUnary::Exp, 0), bitsOf(1));
  EXPECT_EQ(unary(VectorUnary::Exp, -87.5f), 0u) << "denormal result";
  EXPECT_EQ(unary(VectorUnary::Exp, NAN), nan);
  EXPECT_EQ(unary(VectorUnary::Exp, NAN, DstWidth::Bits16), inf);
  EXPECT_EQ(unary(VectorUnary::Log, 0), bitsOf(-INFINITY));
  EXPECT_EQ(unary(VectorUnary::Log, INFINITY), inf);
  EXPECT_EQ(unary(VectorUnary::Log, 1), 0u);
  EXPECT_EQ(unary(VectorUnary::Log, -1), nan);
  EXPECT_EQ(unary(VectorUnary::Log, floatOf(1)), bitsOf(-INFINITY))
      << "denormal";
  EXPECT_EQ(unary(VectorUnary::Sqrt, -1), nan);
  EXPECT_EQ(unary(VectorUnary::Rsqrt, 0), inf);
  EXPECT_EQ(unary(VectorUnary::Rsqrt, -0.0f), inf);
  EXPECT_EQ(unary(VectorUnary::Recip, -0.0f), bitsOf(-INFINITY));
  EXPECT_EQ(unary(VectorUnary::Recip, INFINITY), 0u);
  EXPECT_EQ(unary(VectorUnary::Sigmoid, -INFINITY), 0u);
  EXPECT_EQ(unary(VectorUnary::Silu, -INFINITY), 0u);
  EXPECT_EQ(unary(VectorUnary::Tanh, INFINITY), bitsOf(1));
  EXPECT_EQ(unary(VectorUnary::Tanh, -INFINITY), bitsOf(-1));
  EXPECT_EQ(unary(VectorUnary::GeluErf, -INFINITY), 0u);
  EXPECT_EQ(unary(VectorUnary::Relu, -3), 0u);
  EXPECT_EQ(unary(VectorUnary::Relu, 3), bitsOf(3));
  EXPECT_EQ(unary(VectorUnary::Abs, -3), bitsOf(3));
  EXPECT_EQ(unary(VectorUnary::Neg, 3), bitsOf(-3));
}

TEST(VectorBinary, ArithmeticRoundsToNearestEvenAndFlushes) {
  EXPECT_EQ(binary(VectorBinary::Add, 1, 0x1p-24f), bitsOf(1));
  EXPECT_EQ(binary(VectorBinary::Add, 1, 0x1.8p-24f), bitsOf(1 + 0x1p-23f));
  EXPECT_EQ(binary(VectorBinary::Add, 0x1p-149f, 0x1p-149f), 0u);
  EXPECT_EQ(binary(VectorBinary::Sub, 0x1.8p-126f, 0x1p-126f), 0u);
  EXPECT_EQ(binary(VectorBinary::Mul, -1, 0), 0u) << "x y + 0";
  EXPECT_EQ(binary(VectorBinary::Mul, 0x1p-100f, -0x1p-100f), 0u);
  EXPECT_EQ(binary(VectorBinary::Mul, INFINITY, 0), 0x7FC00000u);
  EXPECT_EQ(binary(VectorBinary::Add, -0.0f, -0.0f), 0x80000000u);
  NumberModel plainZero;
  plainZero.keepsZeroSign = false;
  EXPECT_EQ(
      binary(VectorBinary::Add, -0.0f, -0.0f, DstWidth::Bits32, plainZero), 0u);
  EXPECT_EQ(binary(VectorBinary::Div, 1, 3), bitsOf(1.0f / 3));
}

TEST(VectorBinary, NarrowStoresRoundTiesAway) {
  auto add = [](float x, float y) {
    return binary(VectorBinary::Add, x, y, DstWidth::Bits16);
  };
  EXPECT_EQ(add(1, 0x1p-8f), bitsOf(1 + 0x1p-7f));
  EXPECT_EQ(add(-1, -0x1p-8f), bitsOf(-1 - 0x1p-7f));
  EXPECT_EQ(add(-0.0f, -0.0f), 0u);
}

TEST(VectorBinary, SelectsAndCompares) {
  EXPECT_EQ(binary(VectorBinary::Max, -0.0f, 0), 0u);
  EXPECT_EQ(binary(VectorBinary::Min, 0, -0.0f), 0x80000000u);
  EXPECT_EQ(binary(VectorBinary::Max, -2, -3), bitsOf(-2));
  EXPECT_EQ(binary(VectorBinary::Min, -2, -3), bitsOf(-3));
  EXPECT_EQ(binary(VectorBinary::Eq, 0, -0.0f), bitsOf(1));
  EXPECT_EQ(binary(VectorBinary::Lt, -3, -2), bitsOf(1));
  EXPECT_EQ(binary(VectorBinary::Ge, -3, -2), 0u);
  DstTile c, a, b;
  c.bits[0] = 0x80000000;
  c.bits[1] = bitsOf(-1);
  fillTile(a, 1, DstWidth::Bits16);
  fillTile(b, 2, DstWidth::Bits16);
  applyWhere(c, a, b, c);
  EXPECT_EQ(c.bits[0], bitsOf(2));
  EXPECT_EQ(c.bits[1], bitsOf(1));
}

TEST(VectorScalar, Applies) {
  DstTile dst;
  fillTile(dst, 3, DstWidth::Bits32);
  applyScalar(VectorBinary::Mul, dst, 0.5f, DstWidth::Bits32, NumberModel());
  EXPECT_EQ(dst.bits[77], bitsOf(1.5f));
}

} // namespace
