// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error bounds: wide enough for a machine that rounds as the policy says,
// narrow enough to catch one that does not.

#include "Programs.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace drawloom;

namespace {

/// A matrix unit with 10 explicit operand bits and 7 x 5 bit multipliers that
/// adds two groups of eight products, in 24 or 11 bits.
const MatrixNumbers kMatrix{10, 7, 5, 2, 8, 24, 11, Rounding::NearestAway,
                            Rounding::NearestAway, false};
const VectorNumbers kVector{Rounding::Truncate, 8, true, 0x7FC00000};

Policy policyOf(Fidelity fidelity, bool wideDst) {
  static MLIRContext context;
  context.loadDialect<tile::TileDialect>();
  Type dst = wideDst ? Type(Float32Type::get(&context))
                     : Type(BFloat16Type::get(&context));
  return policyFor(kMatrix, kVector,
                   tile::PrecisionAttr::get(&context, fidelity, dst, tile::Operands::Cut));
}

float roundBF16(float value) {
  return std::bit_cast<float>((std::bit_cast<uint32_t>(value) + 0x8000u) &
                              0xFFFF0000u);
}

/// A bf16 value with only its first `bits` explicit mantissa bits.
float keepBits(float value, int bits) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) &
                              ~((1u << (23 - bits)) - 1));
}

/// A matmul with operands cut to `left` and `right` mantissa bits and, when
/// `narrow`, an accumulator rounded to bf16 every 16 products.
CheckResult checkMatmul(const Policy &policy, int left, int right, bool narrow,
                        int64_t dropped = 0) {
  int64_t m = 40, n = 36, k = 200;
  Program program(matmulText(m, n, k, 32, 32));
  auto a = randomBF16(m * k, 1), b = randomBF16(k * n, 2);
  std::vector<uint16_t> c(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t s = 0; s < k - dropped; ++s) {
        sum += keepBits(fromBF16(a[i * k + s]), left) *
               keepBits(fromBF16(b[s * n + j]), right);
        if (narrow && s % 16 == 15)
          sum = roundBF16(sum);
      }
      c[i * n + j] = toBF16(roundBF16(sum));
    }
  InterpretOptions options{policy, 2};
  auto result =
      interpret(program.op(), {memoryOf(a), memoryOf(b), memoryOf(c)}, options);
  EXPECT_TRUE(succeeded(result)) << program.errors;
  return check(result->front(), memoryOf(c));
}

TEST(Bounds, CoverEachFidelity) {
  EXPECT_TRUE(
      checkMatmul(policyOf(Fidelity::HiFi4, true), 7, 7, false).passed());
  EXPECT_TRUE(
      checkMatmul(policyOf(Fidelity::HiFi2, true), 6, 7, false).passed());
  EXPECT_TRUE(
      checkMatmul(policyOf(Fidelity::LoFi, true), 6, 4, false).passed());
  EXPECT_TRUE(
      checkMatmul(policyOf(Fidelity::HiFi4, false), 7, 7, true).passed());
}

TEST(Bounds, CatchALowerFidelity) {
  EXPECT_FALSE(
      checkMatmul(policyOf(Fidelity::HiFi4, true), 6, 3, false).passed());
  EXPECT_FALSE(
      checkMatmul(policyOf(Fidelity::LoFi, true), 2, 1, false).passed());
}

TEST(Bounds, CatchMissingProducts) {
  EXPECT_FALSE(
      checkMatmul(policyOf(Fidelity::HiFi4, true), 7, 7, false, 1).passed());
  EXPECT_FALSE(
      checkMatmul(policyOf(Fidelity::HiFi4, false), 7, 7, true, 32).passed());
}

TEST(Bounds, GrowWithTheReductionForANarrowDst) {
  Policy narrow = policyOf(Fidelity::HiFi4, false),
         wide = policyOf(Fidelity::HiFi4, true);
  EXPECT_GT(narrow.accumulate, 1000 * wide.accumulate);
}

/// One elementwise chain on four values, and its bounds.
Reference chain(const std::string &body, std::vector<float> &x,
                const Policy &policy) {
  Program program(llvm::formatv(R"(
tile.program @chain {{
  %X = tile.array 0 "x" in : memref<4xf32>
  %Y = tile.array 1 "y" out : memref<4xf32>
  tile.grid [1] {{
  ^bb0(%i: index):
    %x = tile.load %X[%i] affine_map<(i, l) -> (l)> : memref<4xf32> -> tensor<4xf32>
    {0}
    tile.store %y, %Y[%i] affine_map<(i, l) -> (l)> : tensor<4xf32>, memref<4xf32>
  }
})",
                                body)
                      .str());
  std::vector<float> y(4);
  auto result =
      interpret(program.op(), {memoryOf(x), memoryOf(y)}, {policy, 1});
  EXPECT_TRUE(succeeded(result)) << program.errors;
  Reference reference = result->front();
  reference.array = {}; // gone with the program
  return reference;
}

TEST(Bounds, GrowThroughCancellation) {
  std::vector<float> x = {3.0e-4f, 1, 2, 4};
  std::string body = "%one = arith.constant dense<1.0> : tensor<4xf32>\n"
                   "%d = arith.addf %x, %one : tensor<4xf32>\n"
                   "%y = arith.subf %d, %one : tensor<4xf32>";
  // 1.0003 rounds to a unit of 2^-23 in a Dst of 32 bits ...
  auto wide = chain(body, x, policyOf(Fidelity::HiFi4, true));
  EXPECT_FLOAT_EQ(wide.value[0], 3.0e-4f);
  EXPECT_GT(wide.bound[0], 5e-8);
  EXPECT_LT(wide.bound[0], 1e-6);
  // ... and in one of 16 bits loses all of 3e-4, by a few units of 2^-8.
  auto narrow = chain(body, x, policyOf(Fidelity::HiFi4, false));
  EXPECT_GT(narrow.bound[0], 9e-4);
  EXPECT_LT(narrow.bound[0], 5e-2);
}

TEST(Bounds, OpenComparisonsSpreadToBothChoices) {
  std::vector<float> x = {1, 2, 3, 1.0000001f};
  auto reference =
      chain("%one = arith.constant dense<1.0> : tensor<4xf32>\n"
            "%ten = arith.constant dense<10.0> : tensor<4xf32>\n"
            "%d = arith.mulf %x, %one : tensor<4xf32>\n"
            "%c = arith.cmpf ogt, %d, %one : tensor<4xf32>\n"
            "%y = arith.select %c, %ten, %one : tensor<4xi1>, tensor<4xf32>",
            x, policyOf(Fidelity::HiFi4, true));
  EXPECT_EQ(reference.value[3], 10);
  EXPECT_EQ(reference.bound[3], 9);
  EXPECT_EQ(reference.bound[1], 0);
}

TEST(Bounds, AreAbsentWithoutAPolicy) {
  std::vector<float> x = {1, 2, 3, 4};
  auto reference = chain("%y = math.exp %x : tensor<4xf32>", x, {});
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(reference.value[i], std::exp(double(x[i])));
    EXPECT_EQ(reference.bound[i], 0);
  }
}

} // namespace
