// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparing a machine's memory with the reference.

#include "Programs.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace drawloom;

namespace {

/// A 2 x 3 array of f32 rows of 4, with a reference of 0 to 5 within 0.1.
class CheckTest : public testing::Test {
protected:
  Program program{R"(
tile.program @p {
  %C = tile.array 0 "c" out : memref<2x3xf32, strided<[4, 1]>>
})"};
  Reference reference{*program.op().getBody().getOps<tile::ArrayOp>().begin(),
                      {0, 1, 2, 3, 4, 5},
                      std::vector<double>(6, 0.1),
                      std::vector<uint8_t>(6, 1)};
  // The fourth of each row is not the array's.
  std::vector<float> device = {0, 1, 2, NAN, 3, 4, 5, NAN};
};

TEST_F(CheckTest, AcceptsValuesWithinTheirBounds) {
  device[5] = 4.05f;
  CheckResult result = check(reference, memoryOf(device));
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(result.compared, 6);
  EXPECT_NEAR(result.maxError, 0.05, 1e-6);
}

TEST_F(CheckTest, NamesTheWorstElement) {
  device[1] = 1.15f, device[6] = 7;
  CheckResult result = check(reference, memoryOf(device));
  EXPECT_EQ(result.beyond, 2);
  EXPECT_EQ(result.subscripts, (SmallVector<int64_t>{1, 2}));
  EXPECT_EQ(describe(reference, result),
            "c[1, 2] = 7, expected 5 within 0.1; 2 of 6 elements are beyond "
            "their bound, largest error 2, of which the policy explains 0.1");
}

TEST_F(CheckTest, IgnoresElementsTheProgramDoesNotWrite) {
  reference.written[2] = 0;
  device[2] = 99;
  EXPECT_TRUE(check(reference, memoryOf(device)).passed());
}

TEST_F(CheckTest, NaNIsNeverWithinABound) {
  device[0] = NAN;
  EXPECT_EQ(check(reference, memoryOf(device)).beyond, 1);
  reference.bound[0] = INFINITY;
  EXPECT_EQ(check(reference, memoryOf(device)).beyond, 1);
  reference.value[0] = NAN;
  EXPECT_EQ(check(reference, memoryOf(device)).beyond, 0);
}

TEST_F(CheckTest, AnOverflowMayBeInfinite) {
  reference.value[0] = 1e39;
  device[0] = INFINITY;
  EXPECT_TRUE(check(reference, memoryOf(device)).passed());
  device[0] = -INFINITY;
  EXPECT_FALSE(check(reference, memoryOf(device)).passed());
}

} // namespace
