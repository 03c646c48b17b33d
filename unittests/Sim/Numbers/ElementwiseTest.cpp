// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise operations and moves of the matrix unit.

#include "drawloom/Sim/Numbers/Elementwise.h"
#include "ReferenceFpu.h"

#include <gtest/gtest.h>

using namespace drawloom;
using namespace drawloom::sim;
using namespace drawloom::sim::test;

namespace {

uint32_t reference(FpuBinary op, uint32_t x, uint32_t y, uint32_t before,
                   Fidelity fidelity, DstWidth width, const NumberModel &m) {
  if (op == FpuBinary::Add)
    return add(sumOf(x, y), Part(), before, width, m);
  if (op == FpuBinary::Sub)
    return add(sumOf(x, y ^ 0x80000000), Part(), before, width, m);
  uint32_t result = before;
  for (int phase = 0; phase < phases(fidelity); ++phase) {
    Part product = productOf(y, x, phase);
    product.magnitude <<= 13;
    result = add(product, Part(), result, width, m);
  }
  return result;
}

struct ElementwiseTest
    : testing::TestWithParam<
          std::tuple<FpuBinary, Fidelity, DstWidth, SrcFormat, bool>> {};

TEST_P(ElementwiseTest, EqualsTheReference) {
  auto [op, fidelity, width, format, accumulate] = GetParam();
  std::mt19937 rng(11);
  for (bool misnormalises : {false, true})
    for (Spread spread : kSpreads) {
      NumberModel model;
      model.misnormalisesMinusOne = misnormalises;
      SrcTile a = toSrc(randomTile(rng, spread), format);
      SrcTile b = toSrc(randomTile(rng, spread), format);
      DstTile before = toDst(randomTile(rng, spread), width), dst = before;
      elementwise(op, dst, a, b, fidelity, width, accumulate, model);
      int wrong = 0;
      for (int i = 0; i < kTileElements; ++i)
        wrong += dst.bits[i] != reference(op, a.bits[i], b.bits[i],
                                          accumulate ? before.bits[i] : 0,
                                          fidelity, width, model);
      EXPECT_EQ(wrong, 0) << int(spread);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, ElementwiseTest,
    testing::Combine(testing::Values(FpuBinary::Add, FpuBinary::Sub,
                                     FpuBinary::Mul),
                     testing::ValuesIn(kFidelities), testing::ValuesIn(kWidths),
                     testing::ValuesIn(kSrcFormats), testing::Bool()));

TEST(Elementwise, Bf16SumsRoundHalfAwayFromZero) {
  SrcTile a = toSrc(std::vector<uint32_t>(kTileElements, bitsOf(1.0f)),
                    SrcFormat::Bf16);
  SrcTile b = toSrc(std::vector<uint32_t>(kTileElements, bitsOf(0x1p-8f)),
                    SrcFormat::Bf16);
  DstTile dst;
  elementwise(FpuBinary::Add, dst, a, b, Fidelity::LoFi, DstWidth::Bits16,
              false, NumberModel());
  EXPECT_EQ(dst.bits[0], bitsOf(1.0f + 0x1p-7f));
  elementwise(FpuBinary::Sub, dst, a, a, Fidelity::LoFi, DstWidth::Bits16,
              false, NumberModel());
  EXPECT_EQ(dst.bits[0], 0u);
}

TEST(Copy, KeepsValuesAndCleansSpecials) {
  std::vector<uint32_t> bits(kTileElements, bitsOf(1.5f));
  bits[0] = 0x80000000; // negative zero
  bits[1] = 0x00010000; // denormal
  bits[2] = 0xFFC00000; // NaN
  DstTile dst;
  copyToDst(dst, toSrc(bits, SrcFormat::Bf16), DstWidth::Bits32);
  EXPECT_EQ(dst.bits[0], 0u);
  EXPECT_EQ(dst.bits[1], 0u);
  EXPECT_EQ(dst.bits[2], 0xFF800000u);
  EXPECT_EQ(dst.bits[3], bitsOf(1.5f));
}

TEST(Unpack, TruncatesTransposesAndBroadcasts) {
  std::vector<uint32_t> bits(kTileElements);
  for (int i = 0; i < kTileElements; ++i)
    bits[i] = bitsOf(float(i) + 0.999f);
  SrcTile tf32 = toSrc(bits, SrcFormat::Tf32, true);
  EXPECT_EQ(tf32.bits[5 * kTileSide + 20],
            bits[20 * kTileSide + 5] & 0xFFFFE000);
  for (Broadcast kind : {Broadcast::None, Broadcast::Row, Broadcast::Column,
                         Broadcast::Scalar}) {
    SrcTile src = toSrc(bits, SrcFormat::Bf16);
    broadcastSrc(src, kind);
    bool oneRow = kind == Broadcast::Row || kind == Broadcast::Scalar;
    bool oneColumn = kind == Broadcast::Column || kind == Broadcast::Scalar;
    for (int r : {0, 7, 31})
      for (int c : {0, 9, 31})
        EXPECT_EQ(src.bits[r * kTileSide + c],
                  bits[(oneRow ? 0 : r) * kTileSide + (oneColumn ? 0 : c)] &
                      0xFFFF0000);
  }
}

TEST(Dst, TransposeAndDirectUnpack) {
  std::mt19937 rng(5);
  std::vector<uint32_t> bits = randomTile(rng, Spread::AnyBits);
  DstTile dst;
  unpackToDst(toL1(bits, Format::FP32).data(), Format::FP32, dst);
  EXPECT_TRUE(std::equal(bits.begin(), bits.end(), dst.bits));
  transposeDst(dst);
  EXPECT_EQ(dst.bits[3 * kTileSide + 30], bits[30 * kTileSide + 3]);
}

} // namespace
