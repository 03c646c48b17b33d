// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix product: against a plain reference, its own two forms, and fp64.

#include "drawloom/Sim/Numbers/Matmul.h"
#include "ReferenceFpu.h"

#include <gtest/gtest.h>

using namespace drawloom;
using namespace drawloom::sim;
using namespace drawloom::sim::test;

namespace {

struct Operands {
  SrcTile in0, in1;
  PreparedIn0 prepared0;
  PreparedIn1 prepared1;

  Operands(const std::vector<uint32_t> &a, const std::vector<uint32_t> &b,
           SrcFormat format)
      : in0(toSrc(a, format)), in1(toSrc(b, format)) {
    prepareIn0(in0, prepared0);
    prepareIn1(in1, prepared1);
  }
};

int mismatches(const DstTile &x, const DstTile &y) {
  int count = 0;
  for (int i = 0; i < kTileElements; ++i)
    count += x.bits[i] != y.bits[i];
  return count;
}

struct MatmulTest
    : testing::TestWithParam<std::tuple<Fidelity, DstWidth, SrcFormat, bool>> {
};

// Three products into the same Dst, so that it takes part with any exponent.
TEST_P(MatmulTest, BothFormsEqualTheReference) {
  auto [fidelity, width, format, misnormalises] = GetParam();
  NumberModel model;
  model.misnormalisesMinusOne = misnormalises;
  std::mt19937 rng(7);
  for (Spread spread : kSpreads) {
    DstTile expected, scalar, dispatched;
    for (int product = 0; product < 3; ++product) {
      Operands o(randomTile(rng, spread), randomTile(rng, spread), format);
      multiply(expected, o.in0, o.in1, fidelity, width, model);
      multiplyAccumulateScalar(scalar, o.prepared0, o.prepared1, fidelity,
                               width, model);
      multiplyAccumulate(dispatched, o.prepared0, o.prepared1, fidelity, width,
                         model);
      EXPECT_EQ(mismatches(expected, scalar), 0) << int(spread);
      EXPECT_EQ(mismatches(expected, dispatched), 0) << int(spread);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, MatmulTest,
                         testing::Combine(testing::ValuesIn(kFidelities),
                                          testing::ValuesIn(kWidths),
                                          testing::ValuesIn(kSrcFormats),
                                          testing::Bool()));

double relativeError(Fidelity fidelity, DstWidth width) {
  std::mt19937 rng(3);
  NumberModel model;
  DstTile dst;
  std::vector<double> exact(kTileElements);
  for (int product = 0; product < 8; ++product) {
    Operands o(randomTile(rng, Spread::Unit), randomTile(rng, Spread::Unit),
               SrcFormat::Bf16);
    multiplyAccumulate(dst, o.prepared0, o.prepared1, fidelity, width, model);
    for (int i = 0; i < kTileElements; ++i)
      for (int k = 0; k < kTileSide; ++k)
        exact[i] += double(floatOf(o.in0.bits[i / kTileSide * kTileSide + k])) *
                    floatOf(o.in1.bits[k * kTileSide + i % kTileSide]);
  }
  double error = 0, norm = 0;
  for (int i = 0; i < kTileElements; ++i) {
    error += std::pow(floatOf(dst.bits[i]) - exact[i], 2);
    norm += exact[i] * exact[i];
  }
  return std::sqrt(error / norm);
}

TEST(MatmulAccuracy, GrowsWithFidelityAndWidth) {
  double lofi = relativeError(Fidelity::LoFi, DstWidth::Bits32);
  double hifi2 = relativeError(Fidelity::HiFi2, DstWidth::Bits32);
  double hifi4 = relativeError(Fidelity::HiFi4, DstWidth::Bits32);
  double narrow = relativeError(Fidelity::HiFi4, DstWidth::Bits16);
  EXPECT_LT(lofi, 0.05);
  EXPECT_LT(hifi2, lofi / 4);
  EXPECT_LT(hifi4, 2e-3);
  EXPECT_LE(hifi4, hifi2);
  EXPECT_LT(narrow, 0.03);
  EXPECT_GT(narrow, 2 * hifi4);
}

SrcTile constant(float value) {
  return toSrc(std::vector<uint32_t>(kTileElements, bitsOf(value)),
               SrcFormat::Bf16);
}

uint32_t productOfConstants(float a, float b, uint32_t before = 0) {
  DstTile dst;
  std::fill(dst.bits, dst.bits + kTileElements, before);
  PreparedIn0 in0;
  PreparedIn1 in1;
  prepareIn0(constant(a), in0);
  prepareIn1(constant(b), in1);
  multiplyAccumulate(dst, in0, in1, Fidelity::HiFi4, DstWidth::Bits32,
                     NumberModel());
  return dst.bits[0];
}

TEST(MatmulSpecial, Values) {
  EXPECT_EQ(productOfConstants(1, 1), bitsOf(32));
  EXPECT_EQ(productOfConstants(1, 0, bitsOf(-3)), bitsOf(-3));
  EXPECT_EQ(productOfConstants(1, -1, bitsOf(32)), 0u) << "exact cancellation";
  EXPECT_EQ(productOfConstants(0, -1), 0u);
  EXPECT_EQ(productOfConstants(1e-30f, 1e-30f), 0u) << "underflow";
  EXPECT_EQ(productOfConstants(1e30f, -1e30f), bitsOf(-INFINITY));
  EXPECT_EQ(productOfConstants(INFINITY, 1), bitsOf(INFINITY));
  EXPECT_EQ(productOfConstants(INFINITY, 0), 0u) << "zero wins over infinity";
  EXPECT_EQ(productOfConstants(floatOf(1), 1e30f), 0u) << "denormal operand";
}

} // namespace
