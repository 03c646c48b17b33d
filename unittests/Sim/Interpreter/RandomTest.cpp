// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter on random programs: it knows every operation they contain,
// no undefined lane shows, and the number of threads changes nothing.

#include "Programs.h"
#include "RandomProgram.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace drawloom;

namespace {

/// Memory of a random program: normal values, NaN where the program writes.
std::vector<std::vector<std::byte>> memoryFor(const RandomProgram &random,
                                              unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<std::vector<std::byte>> memory;
  for (const RandomArray &array : random.arrays) {
    size_t width = array.isF32 ? 4 : 2;
    auto &bytes = memory.emplace_back(array.elements() * width);
    for (int64_t i = 0; i < array.elements(); ++i) {
      float value = array.isOut ? NAN : normal(generator);
      uint32_t bits = std::bit_cast<uint32_t>(value) >> (array.isF32 ? 0 : 16);
      std::memcpy(&bytes[i * width], &bits, width);
    }
  }
  return memory;
}

TEST(RandomPrograms, AreDefinedEverywhereAndDoNotDependOnThreads) {
  Policy policy;
  policy.bf16 = 0x1p-7, policy.f32 = 0x1p-23, policy.function = 0x1p-7;
  policy.alignment = 0x1p-8, policy.wideOperand = 0x1p-10;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    RandomProgram random = randomProgram(seed);
    Program program(random.text);
    ASSERT_TRUE(program.op()) << program.errors;
    auto memory = memoryFor(random, seed);
    SmallVector<ArrayMemory> arrays;
    for (auto &bytes : memory)
      arrays.push_back({bytes.data()});
    auto one = interpret(program.op(), arrays, {policy, 1});
    auto two = interpret(program.op(), arrays, {policy, 2});
    ASSERT_TRUE(succeeded(one) && succeeded(two))
        << program.errors << random.text;
    for (size_t i = 0; i < one->front().value.size(); ++i) {
      ASSERT_TRUE(one->front().written[i]) << "seed " << seed;
      ASSERT_TRUE(std::isfinite(one->front().value[i]))
          << "seed " << seed << random.text;
      ASSERT_TRUE(std::isfinite(one->front().bound[i]))
          << "seed " << seed << random.text;
    }
    EXPECT_EQ(one->front().value, two->front().value);
    EXPECT_EQ(one->front().bound, two->front().bound);
  }
}

} // namespace
