// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing: rounding, special values, layout, masks, accumulation.

#include "drawloom/Sim/Numbers/Pack.h"
#include "TestTiles.h"

#include <gtest/gtest.h>

using namespace drawloom;
using namespace drawloom::sim;
using namespace drawloom::sim::test;

namespace {

std::vector<uint32_t> packed(const DstTile &dst, DstWidth width, Format format,
                             PackMask mask = PackMask::All) {
  std::vector<uint8_t> l1(tileBytes(format));
  packTile(dst, width, format, l1.data(), mask);
  return fromL1(l1, format);
}

uint32_t packOne(uint32_t bits, DstWidth width, Format format) {
  DstTile dst;
  dst.bits[0] = bits;
  return packed(dst, width, format)[0];
}

TEST(Pack, ToBf16RoundsTiesAwayAndCleans) {
  auto pack = [](uint32_t bits) {
    return packOne(bits, DstWidth::Bits32, Format::BF16);
  };
  EXPECT_EQ(pack(0x3F807FFF), 0x3F800000u);
  EXPECT_EQ(pack(0x3F808000), 0x3F810000u) << "tie, even below";
  EXPECT_EQ(pack(0xBF808000), 0xBF810000u);
  EXPECT_EQ(pack(0x80000000), 0u) << "negative zero";
  EXPECT_EQ(pack(0x007F0000), 0u) << "denormal";
  EXPECT_EQ(pack(0x007FFFFF), 0x00800000u) << "denormal that rounds to normal";
  EXPECT_EQ(pack(0x7F7FFFFF), 0x7F800000u) << "overflow";
  EXPECT_EQ(pack(0xFFC00001), 0xFF800000u) << "NaN";
}

TEST(Pack, ToFp32) {
  EXPECT_EQ(packOne(0x7FC12345, DstWidth::Bits32, Format::FP32), 0x7FC12345u);
  EXPECT_EQ(packOne(0x7FC10000, DstWidth::Bits16, Format::FP32), 0x7F800000u);
  EXPECT_EQ(packOne(0x00012345, DstWidth::Bits32, Format::I32), 0x00012345u);
}

TEST(Pack, InvertsUnpack) {
  std::mt19937 rng(2);
  for (Format format : {Format::FP32, Format::I32, Format::U16}) {
    std::vector<uint32_t> bits = randomTile(rng, Spread::AnyBits);
    if (elementBytes(format) == 2)
      for (uint32_t &b : bits)
        b &= 0xFFFF0000;
    DstTile dst;
    unpackToDst(toL1(bits, format).data(), format, dst);
    EXPECT_EQ(packed(dst, DstWidth::Bits32, format), bits);
  }
}

TEST(Pack, MasksTheRest) {
  DstTile dst;
  std::fill(dst.bits, dst.bits + kTileElements, bitsOf(1));
  auto count = [&](PackMask mask) {
    float sum = 0;
    for (uint32_t b : packed(dst, DstWidth::Bits16, Format::BF16, mask))
      sum += floatOf(b);
    return sum;
  };
  EXPECT_EQ(count(PackMask::All), 1024);
  EXPECT_EQ(count(PackMask::Row0), 32);
  EXPECT_EQ(count(PackMask::Column0), 32);
  EXPECT_EQ(count(PackMask::Element0), 1);
}

TEST(PackAccumulate, AddsInTheFormatOfL1) {
  std::mt19937 rng(9);
  for (Format format : {Format::BF16, Format::FP32}) {
    std::vector<uint32_t> old = randomTile(rng, Spread::Wide);
    DstTile dst = toDst(randomTile(rng, Spread::Wide), DstWidth::Bits16);
    if (format == Format::BF16)
      for (uint32_t &b : old)
        b &= 0xFFFF0000;
    std::vector<uint8_t> l1 = toL1(old, format);
    packAccumulate(dst, DstWidth::Bits16, format, l1.data());
    std::vector<uint32_t> sums = fromL1(l1, format);
    for (int i = 0; i < kTileElements; ++i) {
      float exact = floatOf(old[i]) + floatOf(dst.bits[i]);
      if (format == Format::FP32) {
        ASSERT_EQ(floatOf(sums[i]), exact);
      } else {
        ASSERT_NEAR(floatOf(sums[i]), exact, std::abs(exact) * 0x1.01p-8);
      }
    }
  }
}

} // namespace
