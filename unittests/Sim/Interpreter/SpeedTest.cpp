// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter is run beside every checked run, so it must not be what one
// waits for. Limits are several times what a 2-core machine needs.

#include "Programs.h"
#include "gtest/gtest.h"
#include <ctime>

using namespace mlir;
using namespace drawloom;

namespace {

double seconds(tile::ProgramOp program, ArrayRef<ArrayMemory> arrays,
               unsigned threads) {
  Policy policy;
  policy.bf16 = policy.f32 = policy.alignment = 1e-3;
  // Processor time: other work on the machine does not count.
  std::clock_t start = std::clock();
  EXPECT_TRUE(succeeded(interpret(program, arrays, {policy, threads})));
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Speed, MatmulOf1024WithBounds) {
  Program program(matmulText(1024, 1024, 1024, 128, 64));
  auto a = randomBF16(1 << 20, 1), b = randomBF16(1 << 20, 2),
       c = randomBF16(1 << 20, 3);
  double time =
      seconds(program.op(), {memoryOf(a), memoryOf(b), memoryOf(c)}, 1);
  RecordProperty("seconds", std::to_string(time));
  std::printf("1024^3 matmul on one thread: %.3f s\n", time);
  EXPECT_LT(time, 6);
}

TEST(Speed, ElementwiseChain) {
  Program program(R"(
tile.program @chain {
  %X = tile.array 0 "x" in : memref<4194304xf32>
  %Y = tile.array 1 "y" out : memref<4194304xf32>
  tile.grid [4096] {
  ^bb0(%i: index):
    %x = tile.load %X[%i] affine_map<(i, l) -> (1024 * i + l)> : memref<4194304xf32> -> tensor<1024xf32>
    %e = math.exp %x : tensor<1024xf32>
    %y = arith.addf %x, %e : tensor<1024xf32>
    tile.store %y, %Y[%i] affine_map<(i, l) -> (1024 * i + l)> : tensor<1024xf32>, memref<4194304xf32>
  }
})");
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<float> x(4194304, 0.5f), y(4194304);
  double time = seconds(program.op(), {memoryOf(x), memoryOf(y)}, 1);
  std::printf(
      "elementwise chain on one thread: %.1f million elements a second\n",
      4.194304 / time);
  EXPECT_LT(time, 4);
}

} // namespace
