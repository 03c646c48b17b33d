// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions: against the plain reference, and accumulation over tiles.

#include "drawloom/Sim/Numbers/Reduce.h"
#include "ReferenceFpu.h"

#include <gtest/gtest.h>

using namespace drawloom;
using namespace drawloom::sim;
using namespace drawloom::sim::test;

namespace {

SrcTile scalerOf(float value) {
  std::vector<uint32_t> bits(kTileElements);
  for (int row : {0, 16})
    for (int column = 0; column < kTileSide; ++column)
      bits[row * kTileSide + column] = bitsOf(value);
  return toSrc(bits, SrcFormat::Bf16);
}

/// before + sum of sixteen scaled values, phase by phase.
uint32_t pool(const uint32_t *values, int stride, uint32_t scaler,
              uint32_t before, Fidelity fidelity, DstWidth width) {
  for (int phase = 0; phase < phases(fidelity); ++phase) {
    Part products[16];
    for (int k = 0; k < 16; ++k)
      products[k] = productOf(scaler, values[k * stride], phase);
    before = add(sumEight(products), sumEight(products + 8), before, width,
                 NumberModel());
  }
  return before;
}

struct ReduceTest : testing::TestWithParam<std::tuple<Fidelity, DstWidth>> {};

TEST_P(ReduceTest, ColumnSumsPoolOneFaceAfterAnother) {
  auto [fidelity, width] = GetParam();
  std::mt19937 rng(4);
  SrcTile data = toSrc(randomTile(rng, Spread::Wide), SrcFormat::Bf16);
  DstTile dst;
  reduceTile(ReduceKind::Sum, ReduceDim::Column, dst, data, scalerOf(0.75f),
             SrcFormat::Bf16, fidelity, width, true, NumberModel());
  for (int c = 0; c < kTileSide; ++c) {
    uint32_t expected = 0;
    for (int half = 0; half < 2; ++half)
      expected = pool(data.bits + half * 16 * kTileSide + c, kTileSide,
                      bitsOf(0.75f), expected, fidelity, width);
    EXPECT_EQ(dst.bits[c], expected);
  }
}

TEST_P(ReduceTest, RowSumsAreAProduct) {
  auto [fidelity, width] = GetParam();
  std::mt19937 rng(4);
  SrcTile data = toSrc(randomTile(rng, Spread::Wide), SrcFormat::Bf16);
  SrcTile column; // 0.75 in column 0
  for (int k = 0; k < kTileSide; ++k)
    column.bits[k * kTileSide] = bitsOf(0.75f);
  DstTile dst, expected;
  for (bool first : {true, false}) {
    reduceTile(ReduceKind::Sum, ReduceDim::Row, dst, data, scalerOf(0.75f),
               SrcFormat::Bf16, fidelity, width, first, NumberModel());
    multiply(expected, data, column, fidelity, width, NumberModel());
    for (int r = 0; r < kTileSide; ++r)
      EXPECT_EQ(dst.bits[r * kTileSide], expected.bits[r * kTileSide]);
  }
}

TEST_P(ReduceTest, TheScalerCountsTwiceInAScalarSum) {
  auto [fidelity, width] = GetParam();
  SrcTile data = toSrc(std::vector<uint32_t>(kTileElements, bitsOf(1.0f)),
                       SrcFormat::Bf16);
  DstTile dst;
  for (bool first : {true, false})
    reduceTile(ReduceKind::Sum, ReduceDim::Scalar, dst, data, scalerOf(0.5f),
               SrcFormat::Bf16, fidelity, width, first, NumberModel());
  EXPECT_EQ(dst.bits[0], bitsOf(2 * 1024 * 0.25f));
}

INSTANTIATE_TEST_SUITE_P(All, ReduceTest,
                         testing::Combine(testing::ValuesIn(kFidelities),
                                          testing::ValuesIn(kWidths)));

TEST(ReduceMax, OverTwoTiles) {
  std::mt19937 rng(8);
  SrcTile tiles[2];
  for (SrcTile &tile : tiles) {
    auto bits = randomTile(rng, Spread::Unit);
    for (uint32_t &b : bits)
      b |= 0x80000000; // no zero may win by chance
    tile = toSrc(bits, SrcFormat::Bf16);
  }
  for (ReduceDim dim : {ReduceDim::Row, ReduceDim::Column, ReduceDim::Scalar}) {
    DstTile dst;
    for (int t = 0; t < 2; ++t)
      reduceTile(ReduceKind::Max, dim, dst, tiles[t], scalerOf(1),
                 SrcFormat::Bf16, Fidelity::LoFi, DstWidth::Bits16, t == 0,
                 NumberModel());
    int results = dim == ReduceDim::Scalar ? 1 : kTileSide;
    for (int i = 0; i < results; ++i) {
      float expected = -INFINITY;
      for (const SrcTile &tile : tiles)
        for (int e = 0; e < kTileElements; ++e)
          if (dim == ReduceDim::Scalar ||
              (dim == ReduceDim::Row ? e / kTileSide : e % kTileSide) == i)
            expected = std::max(expected, floatOf(tile.bits[e]));
      int at = dim == ReduceDim::Row ? i * kTileSide : i;
      EXPECT_EQ(dst.bits[at], bitsOf(expected));
    }
  }
}

} // namespace
