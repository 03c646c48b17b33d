// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs written by hand, against a plain matrix product.
#include "Programs.h"

namespace drawloom::sim {
namespace {

constexpr int kSide = 64;

class MatmulPrograms : public ProgramTest,
                       public testing::WithParamInterface<const char *> {};

float product(const std::vector<Bf16> &a, const std::vector<Bf16> &b, int row,
              int column) {
  float sum = 0;
  for (int k = 0; k < kSide; ++k)
    sum += fromBf16(a[row * kSide + k]) * fromBf16(b[k * kSide + column]);
  return sum;
}

TEST_P(MatmulPrograms, GiveTheProduct) {
  auto a = smallIntegers(kSide * kSide, 1), b = smallIntegers(kSide * kSide, 2);
  std::vector<Bf16> c(kSide * kSide, 0x4242);
  auto result =
      run(parseFile(GetParam()), {bytesOf(a), bytesOf(b), bytesOf(c)});
  ASSERT_TRUE(succeeded(result)) << errors;
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column)
      ASSERT_EQ(fromBf16(c[row * kSide + column]), product(a, b, row, column))
          << row << ", " << column;
  EXPECT_EQ(result->flops, 2 * kSide * kSide * kSide);
  EXPECT_EQ(result->dramReadBytes, 2 * kSide * kSide * 2);
  EXPECT_EQ(result->dramWriteBytes, kSide * kSide * 2);
}

TEST_P(MatmulPrograms, TakeTheSameTimeWithoutValues) {
  auto a = smallIntegers(kSide * kSide, 1), b = a, c = a;
  auto program = parseFile(GetParam());
  auto withValues = run(program, {bytesOf(a), bytesOf(b), bytesOf(c)});
  auto without = time(program);
  ASSERT_TRUE(succeeded(withValues) && succeeded(without)) << errors;
  EXPECT_EQ(withValues->cycles, without->cycles);
  EXPECT_EQ(withValues->events, without->events);
}

TEST_P(MatmulPrograms, AreTheSameTwice) {
  auto program = parseFile(GetParam());
  auto first = time(program), second = time(program);
  ASSERT_TRUE(succeeded(first) && succeeded(second)) << errors;
  EXPECT_EQ(first->cycles, second->cycles);
  EXPECT_EQ(first->instructions, second->instructions);
  for (size_t i = 0; i < first->threads.size(); ++i) {
    EXPECT_EQ(first->threads[i].busy, second->threads[i].busy);
    EXPECT_EQ(first->threads[i].stalls, second->threads[i].stalls);
  }
  for (size_t i = 0; i < first->links.size(); ++i)
    EXPECT_EQ(first->links[i].bytes, second->links[i].bytes);
}

INSTANTIATE_TEST_SUITE_P(ByHand, MatmulPrograms,
                         testing::Values("matmul_64.mlir",
                                         "multicast_2x2.mlir"));

TEST_F(ProgramTest, AMatmulOnOneCoreWaitsInTurn) {
  auto result = time(parseFile("matmul_64.mlir"));
  ASSERT_TRUE(succeeded(result)) << errors;
  // Eight reads of 2 KB, eight products, four packs, four writes: each phase
  // waits for the one before, and none can be faster than its own work.
  double read = 8 * 2048 / 30.4, math = 8 * 68.3, write = 4 * 2048 / 28.6;
  EXPECT_GT(result->cycles, read + math + write);
  EXPECT_LT(result->cycles, read + math + write + 1800);
  EXPECT_GT(result->total(SimThread::Math).stalls[size_t(Stall::Data)], read);
  EXPECT_NEAR(result->microseconds, (result->cycles + 2600) / 1000, 1e-6);
}

} // namespace
} // namespace drawloom::sim
