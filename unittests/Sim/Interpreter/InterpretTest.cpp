// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the interpreter computes, against plain loops.

#include "Programs.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace drawloom;

namespace {

struct Shape {
  int64_t m, n, k, block, step;
};

class RaggedMatmul : public testing::TestWithParam<Shape> {};

TEST_P(RaggedMatmul, EqualsPlainLoops) {
  auto [m, n, k, block, step] = GetParam();
  Program program(matmulText(m, n, k, block, step));
  ASSERT_TRUE(program.op()) << program.errors;
  auto a = randomBF16(m * k, 1), b = randomBF16(k * n, 2),
       c = randomBF16(m * n, 3);
  auto result =
      interpret(program.op(), {memoryOf(a), memoryOf(b), memoryOf(c)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  ASSERT_EQ(result->size(), 1u);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t s = 0; s < k; ++s)
        sum += double(fromBF16(a[i * k + s])) * fromBF16(b[s * n + j]);
      ASSERT_NEAR((*result)[0].value[i * n + j], sum, 1e-9) << i << ", " << j;
      ASSERT_TRUE((*result)[0].written[i * n + j]);
      ASSERT_EQ((*result)[0].bound[i * n + j], 0) << "exact policy";
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RaggedMatmul,
                         testing::Values(Shape{100, 77, 30, 32, 32},
                                         Shape{64, 64, 64, 32, 32},
                                         Shape{33, 1, 5, 32, 32},
                                         Shape{1, 65, 129, 32, 64},
                                         Shape{130, 70, 100, 64, 32}));

constexpr const char *kTail = R"(
tile.program @tail {
  %X = tile.array 0 "x" in : memref<20xf32, strided<[1], offset: 4>>
  %Y = tile.array 1 "y" out : memref<20xf32, strided<[1], offset: 4>>
  tile.grid [1] {
  ^bb0(%i: index):
    %x = tile.load %X[%i] affine_map<(i, l) -> (32 * i + l)>
      where affine_set<(i, l) : (19 - 32 * i - l >= 0)>
      : memref<20xf32, strided<[1], offset: 4>> -> tensor<32xf32>
    %y = arith.addf %x, %x : tensor<32xf32>
    tile.store %y, %Y[%i] affine_map<(i, l) -> (32 * i + l)>
      where affine_set<(i, l) : (19 - 32 * i - l >= 0)>
      : tensor<32xf32>, memref<20xf32, strided<[1], offset: 4>>
  }
})";

TEST(Interpret, ReadsAndWritesNothingBeyondTheBounds) {
  Program program(kTail);
  ASSERT_TRUE(program.op()) << program.errors;
  // NaN around the 20 elements; the vector ends where they end.
  std::vector<float> x(24, NAN), y(24, -1);
  for (int i = 0; i < 20; ++i)
    x[4 + i] = i;
  auto result = interpret(program.op(), {memoryOf(x), memoryOf(y)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  ASSERT_EQ((*result)[0].value.size(), 20u);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ((*result)[0].value[i], 2 * i);
  EXPECT_EQ(y, std::vector<float>(24, -1))
      << "the caller's memory is only read";
}

constexpr const char *kSoftmax = R"(
tile.program @softmax {
  %X = tile.array 0 "x" in : memref<40x50xf32>
  %Y = tile.array 1 "y" out : memref<40x50xf32>
  tile.grid [2] {
  ^bb0(%p: index):
    %ninf = arith.constant 0xFF800000 : f32
    %z = arith.constant 0.0 : f32
    %x = tile.load %X[%p] affine_map<(p, r, c) -> (32 * p + r, c)>
      where affine_set<(p, r, c) : (39 - 32 * p - r >= 0, 49 - c >= 0)> else 0xFF800000 : f32
      : memref<40x50xf32> -> tensor<32x64xf32>
    %m0 = tensor.splat %ninf : tensor<32xf32>
    %m = linalg.reduce { arith.maxnumf } ins(%x : tensor<32x64xf32>) outs(%m0 : tensor<32xf32>) dimensions = [1]
    %e0 = tensor.empty() : tensor<32x64xf32>
    %mb = linalg.broadcast ins(%m : tensor<32xf32>) outs(%e0 : tensor<32x64xf32>) dimensions = [1]
    %s = arith.subf %x, %mb : tensor<32x64xf32>
    %e = math.exp %s : tensor<32x64xf32>
    %s0 = tensor.splat %z : tensor<32xf32>
    %l = linalg.reduce { arith.addf } ins(%e : tensor<32x64xf32>) outs(%s0 : tensor<32xf32>) dimensions = [1]
    %lb = linalg.broadcast ins(%l : tensor<32xf32>) outs(%e0 : tensor<32x64xf32>) dimensions = [1]
    %y = arith.divf %e, %lb : tensor<32x64xf32>
    tile.store %y, %Y[%p] affine_map<(p, r, c) -> (32 * p + r, c)>
      where affine_set<(p, r, c) : (39 - 32 * p - r >= 0, 49 - c >= 0)>
      : tensor<32x64xf32>, memref<40x50xf32>
  }
})";

TEST(Interpret, SoftmaxWithMinusInfinityPadding) {
  Program program(kSoftmax);
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<float> x(40 * 50), y(40 * 50);
  for (int i = 0; i < 2000; ++i)
    x[i] = std::sin(i) * 3 - 100; // far below the zeros of a wrong padding
  auto result = interpret(program.op(), {memoryOf(x), memoryOf(y)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  for (int row = 0; row < 40; ++row) {
    double sum = 0;
    for (int c = 0; c < 50; ++c)
      sum += std::exp(double(x[row * 50 + c]));
    for (int c = 0; c < 50; ++c)
      EXPECT_NEAR((*result)[0].value[row * 50 + c],
                  std::exp(double(x[row * 50 + c])) / sum, 1e-12);
  }
}

constexpr const char *kTwoGrids = R"(
tile.program @two {
  %X = tile.array 0 "x" inout : memref<64xi32>
  %Y = tile.array 1 "y" out : memref<64xi32>
  tile.grid [2] {
  ^bb0(%i: index):
    %x = tile.load %X[%i] affine_map<(i, l) -> (32 * i + l)> : memref<64xi32> -> tensor<32xi32>
    %y = arith.muli %x, %x : tensor<32xi32>
    tile.store %y, %X[%i] affine_map<(i, l) -> (32 * i + l)> : tensor<32xi32>, memref<64xi32>
  }
  tile.grid [2] {
  ^bb0(%i: index):
    %x = tile.load %X[%i] affine_map<(i, l) -> (63 - 32 * i - l)> : memref<64xi32> -> tensor<32xi32>
    tile.store %x, %Y[%i] affine_map<(i, l) -> (32 * i + l)> : tensor<32xi32>, memref<64xi32>
  }
})";

TEST(Interpret, ALaterGridReadsWhatAnEarlierOneWrote) {
  Program program(kTwoGrids);
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<int32_t> x(64), y(64);
  std::iota(x.begin(), x.end(), 65530); // squares wrap around 2^32
  auto result = interpret(program.op(), {memoryOf(x), memoryOf(y)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ((*result)[1].value[i],
              int32_t(uint32_t(x[63 - i]) * uint32_t(x[63 - i])));
}

constexpr const char *kCausal = R"(
tile.program @causal {
  %X = tile.array 0 "x" in : memref<8x8xf32>
  %Y = tile.array 1 "y" out : memref<8x8xf32>
  tile.grid [2] {
  ^bb0(%i: index):
    %x = tile.load %X[%i] affine_map<(i, r, c) -> (c, 4 * i + r)> : memref<8x8xf32> -> tensor<4x8xf32>
    %m = tile.mask %x[%i] where affine_set<(i, r, c) : (4 * i + r - c >= 0)> else -1.0 : f32 : tensor<4x8xf32>
    %e = tensor.empty() : tensor<8x4xf32>
    %t = linalg.transpose ins(%m : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    tile.store %t, %Y[%i] affine_map<(i, r, c) -> (r, 4 * i + c)> : tensor<8x4xf32>, memref<8x8xf32>
  }
})";

TEST(Interpret, MasksAndTransposes) {
  Program program(kCausal);
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<float> x(64), y(64);
  std::iota(x.begin(), x.end(), 0);
  auto result = interpret(program.op(), {memoryOf(x), memoryOf(y)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column)
      EXPECT_EQ((*result)[0].value[row * 8 + column],
                column >= row ? x[row * 8 + column] : -1);
}

constexpr const char *kModulo = R"(
tile.program @wrap {
  %X = tile.array 0 "x" in : memref<5xf32>
  %Y = tile.array 1 "y" out : memref<3x8xf32>
  tile.grid [3] {
  ^bb0(%i: index):
    %base = affine.apply affine_map<(i) -> (2 * i)>(%i)
    %x = tile.load %X[%base] affine_map<(b, l) -> ((b + l) mod 5)> : memref<5xf32> -> tensor<8xf32>
    tile.store %x, %Y[%i] affine_map<(i, l) -> (i, l)> : tensor<8xf32>, memref<3x8xf32>
  }
})";

TEST(Interpret, SubscriptsMayWrap) {
  Program program(kModulo);
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<float> x = {0, 1, 2, 3, 4}, y(24);
  auto result = interpret(program.op(), {memoryOf(x), memoryOf(y)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  for (int i = 0; i < 3; ++i)
    for (int lane = 0; lane < 8; ++lane)
      EXPECT_EQ((*result)[0].value[i * 8 + lane], (2 * i + lane) % 5);
}

//===-- Refusals ------------------------------------------------------------//

std::string refusal(llvm::StringRef text, unsigned arrays) {
  Program program(text);
  if (!program.op())
    return "does not parse: " + program.errors;
  std::vector<std::vector<float>> memory(arrays, std::vector<float>(256));
  SmallVector<ArrayMemory> views;
  for (auto &array : memory)
    views.push_back(memoryOf(array));
  if (succeeded(interpret(program.op(), views)))
    return "accepted";
  return program.errors;
}

std::string copyText(llvm::StringRef load, llvm::StringRef store,
                     llvm::StringRef op = "") {
  return llvm::formatv(R"(
tile.program @copy {{
  %X = tile.array 0 "x" inout : memref<64xf32>
  %Y = tile.array 1 "y" out : memref<64xf32>
  tile.grid [2] {{
  ^bb0(%i: index):
    %x = tile.load %X[%i] affine_map<(i, l) -> ({0})> : memref<64xf32> -> tensor<32xf32>
    {2}
    tile.store %x, {1} : tensor<32xf32>, memref<64xf32>
  }
})",
                       load, store, op)
      .str();
}

TEST(InterpretRefuses, ASubscriptOutsideItsArray) {
  auto text = refusal(
      copyText("32 * i + l + 1", "%Y[%i] affine_map<(i, l) -> (32 * i + l)>"),
      2);
  EXPECT_NE(text.find("subscript 0 is 64, outside the 64 of array \"x\""),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("at grid point (1)"), std::string::npos) << text;
}

TEST(InterpretRefuses, TwoPointsThatWriteOneElement) {
  auto text = refusal(
      copyText("32 * i + l", "%Y[%i] affine_map<(i, l) -> (31 * i + l)>"), 2);
  EXPECT_NE(text.find("another grid point reads or writes"), std::string::npos)
      << text;
}

TEST(InterpretRefuses, APointThatReadsWhatAnotherWrites) {
  // In place, shifted by one: reads what the next point writes.
  auto text = refusal(
      copyText("31 * i + l + 1", "%X[%i] affine_map<(i, l) -> (32 * i + l)>"),
      2);
  EXPECT_NE(text.find("another grid point"), std::string::npos) << text;
}

TEST(InterpretRefuses, AnOperationItDoesNotKnow) {
  auto text = refusal(copyText("32 * i + l",
                               "%Y[%i] affine_map<(i, l) -> (32 * i + l)>",
                               "%z = math.cbrt %x : tensor<32xf32>"),
                      2);
  EXPECT_NE(text.find("does not know `math.cbrt`"), std::string::npos) << text;
}

} // namespace
