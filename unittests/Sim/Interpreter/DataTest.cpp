// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs whose control and addresses depend on data.

#include "Programs.h"
#include "gmock/gmock.h"

using namespace drawloom;
using namespace mlir;
using testing::HasSubstr;

constexpr const char *kGather = R"(
tile.program @gather {
  %ids = tile.array 0 "ids" in : memref<6xi64>
  %w = tile.array 1 "w" in : memref<10x4xf32>
  %o = tile.array 2 "o" out : memref<6x4xf32>
  tile.grid [2] {
  ^bb0(%i: index):
    %id = tile.load %ids[%i] affine_map<(i, l) -> (4 * i + l)>
      where affine_set<(i, l) : (5 - 4 * i - l >= 0)> : memref<6xi64> -> tensor<4xi32>
    %r = tile.load %w[%i] lookup %id axis 0 affine_map<(i, v, r, c) -> (v floordiv 2, c)>
      where affine_set<(i, v, r, c) : (5 - 4 * i - r >= 0, 15 - v >= 0)> else -1.0 : f32
      : memref<10x4xf32> -> tensor<4x4xf32>
    tile.store %r, %o[%i] affine_map<(i, r, c) -> (4 * i + r, c)>
      where affine_set<(i, r, c) : (5 - 4 * i - r >= 0)> : tensor<4x4xf32>, memref<6x4xf32>
  }
})";

TEST(Data, LanesBeyondTheBoundsLookNothingUp) {
  Program program(kGather);
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<int64_t> ids = {3, 19, 0, 15, 16, 4};
  std::vector<float> w(40), o(24);
  std::iota(w.begin(), w.end(), 0);
  auto result =
      interpret(program.op(), {memoryOf(ids), memoryOf(w), memoryOf(o)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  for (int row = 0; row < 6; ++row)
    for (int c = 0; c < 4; ++c)
      EXPECT_EQ((*result)[0].value[row * 4 + c],
                ids[row] > 15 ? -1 : ids[row] / 2 * 4 + c);
  ids[1] = 1 << 30, ids[2] = int64_t(1) << 40;
  EXPECT_TRUE(failed(
      interpret(program.op(), {memoryOf(ids), memoryOf(w), memoryOf(o)})));
  EXPECT_THAT(program.errors, HasSubstr("32 bits do not hold"));
}

constexpr const char *kScatter = R"(
tile.program @scatter {
  %ids = tile.array 0 "ids" in : memref<8xi32>
  %o = tile.array 1 "o" inout : memref<10xi32>
  tile.grid [2] {
  ^bb0(%i: index):
    %id = tile.load %ids[%i] affine_map<(i, l) -> (4 * i + l)> : memref<8xi32> -> tensor<4xi32>
    %x = tile.index [%i] affine_map<(i, l) -> (100 + 4 * i + l)> : tensor<4xi32>
    tile.store %x, %o[] lookup %id axis 0 affine_map<(v, l) -> (v)> : tensor<4xi32>, memref<10xi32>
  }
})";

TEST(Data, ScatterReportsWhatOnlyTheValuesShow) {
  Program program(kScatter);
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<int32_t> ids = {9, 3, 0, 1, 2, 7, 8, 4}, o(10, -1);
  auto result = interpret(program.op(), {memoryOf(ids), memoryOf(o)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ((*result)[0].value[ids[i]], 100 + i);
  EXPECT_EQ((*result)[0].value[5], -1);
  ids[7] = 9;
  EXPECT_TRUE(failed(interpret(program.op(), {memoryOf(ids), memoryOf(o)})));
  EXPECT_THAT(program.errors, HasSubstr("points are independent"));
  ids[7] = 10;
  EXPECT_TRUE(failed(interpret(program.op(), {memoryOf(ids), memoryOf(o)})));
  EXPECT_THAT(program.errors, HasSubstr("subscript 0 is 10, outside the 10"));
}

constexpr const char *kLengths = R"(
tile.program @lengths {
  %n = tile.array 0 "n" in : memref<3xi32>
  %x = tile.array 1 "x" in : memref<3x16xf32>
  %y = tile.array 2 "y" inout : memref<3xf32>
  tile.grid [3] {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %len = tile.read %n[%i] affine_map<(i) -> (i)> : memref<3xi32> -> index
    %some = arith.cmpi sgt, %len, %c0 : index
    %zero = arith.constant dense<0.0> : tensor<f32>
    %sum = scf.if %some -> (tensor<f32>) {
      %blocks = affine.apply affine_map<(n) -> (n ceildiv 4)>(%len)
      %s = scf.for %k = %c0 to %blocks step %c1 iter_args(%a = %zero) -> (tensor<f32>) {
        %t = tile.load %x[%i, %k, %len] affine_map<(i, k, n, l) -> (i, 4 * k + l)>
          where affine_set<(i, k, n, l) : (n - 1 - 4 * k - l >= 0)> else 0.0 : f32 : memref<3x16xf32> -> tensor<4xf32>
        %b = linalg.reduce { arith.addf } ins(%t : tensor<4xf32>) outs(%a : tensor<f32>) dimensions = [0]
        scf.yield %b : tensor<f32>
      }
      scf.yield %s : tensor<f32>
    } else {
      %none = arith.constant dense<-7.0> : tensor<f32>
      scf.yield %none : tensor<f32>
    }
    tile.store %sum, %y[%i] affine_map<(i) -> (i)> : tensor<f32>, memref<3xf32>
  }
})";

TEST(Data, LengthsBoundLoopsAndDecide) {
  Program program(kLengths);
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<int32_t> n = {7, 0, 16};
  std::vector<float> x(48), y(3);
  std::iota(x.begin(), x.end(), 1);
  auto result =
      interpret(program.op(), {memoryOf(n), memoryOf(x), memoryOf(y)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  EXPECT_EQ((*result)[0].value, (std::vector<double>{28, -7, 648}));
}

constexpr const char *kScan = R"(
tile.program @scan {
  %x = tile.array 0 "x" in : memref<5x3xf32>
  %y = tile.array 1 "y" out : memref<5x3xf32>
  %z = tile.array 2 "z" out : memref<5x3xf32>
  %i = tile.array 3 "i" out : memref<3xi64>
  tile.grid [1] {
  ^bb0(%p: index):
    %t = tile.load %x[] affine_map<(r, c) -> (r, c)> : memref<5x3xf32> -> tensor<5x3xf32>
    %s = tile.scan %t axis 0 reverse {
    ^bb0(%a: f32, %b: f32):
      %sum = arith.addf %a, %b : f32
      tile.yield %sum : f32
    } : tensor<5x3xf32>
    %h:2 = tile.scan %t, %s axis 1 {
    ^bb0(%a0: f32, %b0: f32, %a1: f32, %b1: f32):
      %a = arith.mulf %a0, %a1 : f32
      %m = arith.mulf %a1, %b0 : f32
      %b = arith.addf %m, %b1 : f32
      tile.yield %a, %b : f32, f32
    } : tensor<5x3xf32>, tensor<5x3xf32>
    %rows = tile.index [] affine_map<(r, c) -> (r)> : tensor<5x3xi32>
    %low = arith.constant dense<0xFF800000> : tensor<3xf32>
    %none = arith.constant dense<2147483647> : tensor<3xi32>
    %best:2 = linalg.reduce ins(%t, %rows : tensor<5x3xf32>, tensor<5x3xi32>) outs(%low, %none : tensor<3xf32>, tensor<3xi32>) dimensions = [0]
      (%v: f32, %k: i32, %bv: f32, %bk: i32) {
        %more = arith.cmpf ogt, %v, %bv : f32
        %value = arith.select %more, %v, %bv : f32
        %where = arith.select %more, %k, %bk : i32
        linalg.yield %value, %where : f32, i32
      }
    tile.store %s, %y[] affine_map<(r, c) -> (r, c)> : tensor<5x3xf32>, memref<5x3xf32>
    tile.store %h#1, %z[] affine_map<(r, c) -> (r, c)> : tensor<5x3xf32>, memref<5x3xf32>
    tile.store %best#1, %i[] affine_map<(l) -> (l)> : tensor<3xi32>, memref<3xi64>
  }
})";

TEST(Data, ScansAndReductionsOfPairs) {
  Program program(kScan);
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<float> x = {1, 9, 2, 4, 3, 5, 7, 8, 6, 2, 1, 6, 7, 0, 3}, y(15),
                     z(15);
  std::vector<int64_t> i(3);
  auto result = interpret(program.op(),
                          {memoryOf(x), memoryOf(y), memoryOf(z), memoryOf(i)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  for (int c = 0; c < 3; ++c) {
    double sum = 0;
    for (int r = 4; r >= 0; --r) {
      sum += x[r * 3 + c];
      EXPECT_EQ((*result)[0].value[r * 3 + c], sum);
    }
  }
  for (int r = 0; r < 5; ++r) {
    double h = 0;
    for (int c = 0; c < 3; ++c) {
      h = (c ? x[r * 3 + c] * h : 0) + (*result)[0].value[r * 3 + c];
      EXPECT_EQ((*result)[1].value[r * 3 + c], h);
    }
  }
  EXPECT_EQ((*result)[2].value, (std::vector<double>{2, 0, 2}));
}

constexpr const char *kAtomic = R"(
tile.program @atomic {
  %x = tile.array 0 "x" in : memref<3x8xf32>
  %y = tile.array 1 "y" inout : memref<3xf32>
  tile.grid [3, 8] ordered [1] {
  ^bb0(%i: index, %j: index):
    %t = tile.load %x[%i, %j] affine_map<(i, j) -> (i, j)> : memref<3x8xf32> -> tensor<f32>
    %old = tile.load %y[%i] affine_map<(i) -> (i)> : memref<3xf32> -> tensor<f32>
    %two = arith.constant dense<2.0> : tensor<f32>
    %twice = arith.mulf %old, %two : tensor<f32>
    %new = arith.addf %twice, %t : tensor<f32>
    tile.store %new, %y[%i] affine_map<(i) -> (i)> : tensor<f32>, memref<3xf32>
  }
})";

TEST(Data, OrderedPointsSeeEachOthersStores) {
  Program program(kAtomic);
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<float> x(24), y = {1, 2, 3};
  std::iota(x.begin(), x.end(), 0);
  auto result = interpret(program.op(), {memoryOf(x), memoryOf(y)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  for (int i = 0; i < 3; ++i) {
    double sum = y[i];
    for (int j = 0; j < 8; ++j)
      sum = 2 * sum + x[i * 8 + j];
    EXPECT_EQ((*result)[0].value[i], sum);
  }
}

constexpr const char *kNegative = R"(
tile.program @negative {
  %y = tile.array 0 "y" out : memref<4xi32>
  tile.grid [1] {
  ^bb0(%i: index):
    %c = arith.constant dense<-766435501> : tensor<4xi32>
    tile.store %c, %y[] affine_map<(l) -> (l)> : tensor<4xi32>, memref<4xi32>
  }
})";

TEST(Data, ConstantsKeepTheirSign) {
  Program program(kNegative);
  ASSERT_TRUE(program.op()) << program.errors;
  std::vector<int32_t> y(4);
  auto result = interpret(program.op(), {memoryOf(y)});
  ASSERT_TRUE(succeeded(result)) << program.errors;
  EXPECT_EQ((*result)[0].value, std::vector<double>(4, -766435501));
}
