// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer functions against 64-bit arithmetic, and conversions at their ends.

#include "drawloom/Sim/Numbers/VectorReduction.h"
#include "TestTiles.h"

#include <gtest/gtest.h>

using namespace drawloom;
using namespace drawloom::sim;
using namespace drawloom::sim::test;

namespace {

struct IntegerCase {
  VectorInteger op;
  const char *name;
  uint32_t (*exact)(int64_t, int64_t);
};

uint32_t flag(bool holds) { return holds ? bitsOf(1) : 0; }
uint64_t low(int64_t x) { return uint32_t(x); }

const IntegerCase kIntegerCases[] = {
    {VectorInteger::Add, "add",
     [](int64_t x, int64_t y) { return uint32_t(x + y); }},
    {VectorInteger::Sub, "sub",
     [](int64_t x, int64_t y) { return uint32_t(x - y); }},
    {VectorInteger::Mul, "mul",
     [](int64_t x, int64_t y) { return uint32_t(x * y); }},
    {VectorInteger::And, "and",
     [](int64_t x, int64_t y) { return uint32_t(x & y); }},
    {VectorInteger::Or, "or",
     [](int64_t x, int64_t y) { return uint32_t(x | y); }},
    {VectorInteger::Xor, "xor",
     [](int64_t x, int64_t y) { return uint32_t(x ^ y); }},
    {VectorInteger::ShiftLeft, "shl",
     [](int64_t x, int64_t y) { return uint32_t(low(x) << (y & 31)); }},
    {VectorInteger::ShiftRight, "shru",
     [](int64_t x, int64_t y) { return uint32_t(low(x) >> (y & 31)); }},
    {VectorInteger::ShiftRightSigned, "shrs",
     [](int64_t x, int64_t y) { return uint32_t(x >> (y & 31)); }},
    {VectorInteger::Max, "max",
     [](int64_t x, int64_t y) { return uint32_t(std::max(x, y)); }},
    {VectorInteger::Min, "min",
     [](int64_t x, int64_t y) { return uint32_t(std::min(x, y)); }},
    {VectorInteger::Eq, "eq",
     [](int64_t x, int64_t y) { return flag(x == y); }},
    {VectorInteger::Ne, "ne",
     [](int64_t x, int64_t y) { return flag(x != y); }},
    {VectorInteger::Lt, "lt", [](int64_t x, int64_t y) { return flag(x < y); }},
    {VectorInteger::Le, "le",
     [](int64_t x, int64_t y) { return flag(x <= y); }},
    {VectorInteger::Gt, "gt", [](int64_t x, int64_t y) { return flag(x > y); }},
    {VectorInteger::Ge, "ge",
     [](int64_t x, int64_t y) { return flag(x >= y); }},
    {VectorInteger::LtUnsigned, "ltu",
     [](int64_t x, int64_t y) { return flag(low(x) < low(y)); }},
};

struct IntegerTest : testing::TestWithParam<IntegerCase> {};

TEST_P(IntegerTest, IsTheLow32Bits) {
  const IntegerCase &c = GetParam();
  bool shifts = c.op == VectorInteger::ShiftLeft ||
                c.op == VectorInteger::ShiftRight ||
                c.op == VectorInteger::ShiftRightSigned;
  std::mt19937 rng(2);
  DstTile a, b, out;
  for (int i = 0; i < kTileElements; ++i) {
    a.bits[i] = rng();
    b.bits[i] = shifts ? rng() % 32 : i % 3 ? rng() : a.bits[i];
  }
  applyInteger(c.op, a, b, out);
  for (int i = 0; i < kTileElements; ++i)
    ASSERT_EQ(out.bits[i], c.exact(int32_t(a.bits[i]), int32_t(b.bits[i])))
        << int32_t(a.bits[i]) << ", " << int32_t(b.bits[i]);
}

INSTANTIATE_TEST_SUITE_P(All, IntegerTest, testing::ValuesIn(kIntegerCases),
                         [](const auto &info) { return info.param.name; });

TEST(IntegerReduction, CombinesTheLanesOfARowOrColumn) {
  std::mt19937 rng(3);
  for (bool ofRows : {true, false})
    for (const IntegerCase &c : kIntegerCases) {
      if (c.op != VectorInteger::Add && c.op != VectorInteger::Max &&
          c.op != VectorInteger::Min)
        continue;
      DstTile tile;
      for (uint32_t &bits : tile.bits)
        bits = rng();
      DstTile before = tile;
      applyReduction({c.op, ofRows}, tile, DstWidth::Bits32, NumberModel());
      for (int line = 0; line < kTileSide; ++line) {
        int first = ofRows ? line * kTileSide : line,
            step = ofRows ? 1 : kTileSide;
        uint32_t all = before.bits[first];
        for (int i = 1; i < kTileSide; ++i)
          all = c.exact(int32_t(all), int32_t(before.bits[first + i * step]));
        EXPECT_EQ(tile.bits[first], all) << c.name;
      }
    }
}

TEST(IntegerConversion, CutsFractionsAndSaturates) {
  DstTile dst;
  const float in[] = {2.9f, -2.9f, 3e9f, -3e9f, NAN, -0.0f};
  const int32_t out[] = {2, -2, INT32_MAX, INT32_MIN, 0, 0};
  for (int i = 0; i < 6; ++i)
    dst.bits[i] = bitsOf(in[i]);
  applyConversion(VectorConversion::FloatToInteger, dst);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(int32_t(dst.bits[i]), out[i]) << in[i];
  dst.bits[0] = 16777217; // between two floats
  dst.bits[1] = uint32_t(-7);
  applyConversion(VectorConversion::IntegerToFloat, dst);
  EXPECT_EQ(dst.bits[0], bitsOf(16777216.0f));
  EXPECT_EQ(dst.bits[1], bitsOf(-7.0f));
}

} // namespace
