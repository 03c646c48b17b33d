// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product on 8x8 cores: its values, its rate and how fast it is simulated.
#include "Gemm.h"
#include "Programs.h"
#include <chrono>

namespace drawloom::sim {
namespace {

class Gemm : public ProgramTest {
protected:
  template <typename Run> double seconds(Run run) {
    auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }
  static void print(int64_t size, const SimResult &result, double wall) {
    printf("  %lld^3: %.0f cycles, %.1f TFLOP/s, %lld events, %lld "
           "instructions, %.2f s, %.0f ns an event\n",
           (long long)size, result.cycles, result.flops / result.cycles / 1e3,
           (long long)result.events, (long long)result.instructions, wall,
           wall * 1e9 / result.events);
    for (SimThread thread :
         {SimThread::DM0, SimThread::DM1, SimThread::Math, SimThread::Pack}) {
      ThreadTime total = result.total(thread);
      double all = result.cycles * result.columns * result.rows;
      printf("    %-5s busy %3.0f%%", stringify(thread).str().c_str(),
             100 * total.busy / all);
      for (int i = 0; i < kStallCount; ++i)
        if (total.stalls[i] > 0)
          printf(" %s %.0f%%", stringify(Stall(i)).str().c_str(),
                 100 * total.stalls[i] / all);
      printf("\n");
    }
  }
};

TEST_F(Gemm, ValuesOn8x8Cores) {
  constexpr int size = 1024;
  auto a = smallIntegers(size * size, 1), b = smallIntegers(size * size, 2);
  std::vector<Bf16> c(size * size);
  auto program = parse(gemmText(size, 8, 4));
  ASSERT_TRUE(program);
  mlir::FailureOr<SimResult> result;
  double wall = seconds(
      [&] { result = run(program, {bytesOf(a), bytesOf(b), bytesOf(c)}); });
  ASSERT_TRUE(succeeded(result)) << errors;
  print(size, *result, wall);
  for (int row = 0; row < size; row += 37)
    for (int column = 0; column < size; column += 41) {
      float sum = 0;
      for (int k = 0; k < size; ++k)
        sum += fromBf16(a[row * size + k]) * fromBf16(b[k * size + column]);
      // Sums of small integers are exact in fp32; bf16 rounds the result.
      ASSERT_NEAR(fromBf16(c[row * size + column]), sum, std::abs(sum) / 256)
          << row << ", " << column;
    }
  EXPECT_EQ(result->flops, 2ll * size * size * size);
}

TEST_F(Gemm, TimingOnly) {
  for (int64_t size : {1024, 4096}) {
    auto program = parse(gemmText(size, 8, 8));
    ASSERT_TRUE(program);
    mlir::FailureOr<SimResult> result;
    double wall = seconds([&] { result = time(program); });
    ASSERT_TRUE(succeeded(result)) << errors;
    print(size, *result, wall);
    EXPECT_EQ(result->flops, 2 * size * size * size);
    // Never above the matrix unit's peak: 16 cycles a phase, four phases.
    EXPECT_LT(result->flops / result->cycles, 64 * 1024);
    // A and B once for each wave they are in, C once.
    int64_t waves = size / 1024;
    EXPECT_EQ(result->dramReadBytes, 2 * waves * size * size * 2);
    EXPECT_EQ(result->dramWriteBytes, size * size * 2);
  }
}

} // namespace
} // namespace drawloom::sim
