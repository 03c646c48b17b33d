// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections, fills and functions of the vector unit, on floats and integers.
#include "Programs.h"
#include "TilePrograms.h"
#include <cmath>

namespace drawloom::sim {
namespace {

class VectorOps : public ProgramTest {
protected:
  template <typename T>
  std::vector<T> runTiles(const TileProgram &program, std::vector<T> a,
                          std::vector<T> b) {
    std::vector<T> c(1024);
    auto parsed = parse(textOf(program));
    EXPECT_TRUE(parsed) << errors;
    if (parsed)
      EXPECT_TRUE(succeeded(run(parsed, {bytesOf(a), bytesOf(b), bytesOf(c)})))
          << errors;
    return c;
  }
  /// Both tiles unpacked straight to Dst, then `operations` on %d[0] and
  /// %d[1].
  static TileProgram direct(std::string type, std::string operations) {
    TileProgram p;
    p.in = p.out = type;
    p.how = p.outHow = "direct";
    p.compute = R"(
      task.init copy(%a)
      task.copy %a[%c0] into %d[%c0]
      task.init copy(%b)
      task.copy %b[%c0] into %d[%c1]
)" + operations;
    return p;
  }
  static std::vector<float> randomFloats(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-8, 8);
    std::vector<float> values(1024);
    for (float &value : values)
      value = uniform(random);
    return values;
  }
};

TEST_F(VectorOps, Functions) {
  struct {
    const char *name;
    double (*exact)(double);
  } const functions[] = {
      {"exp2", [](double x) { return std::exp2(x); }},
      {"log2", [](double x) { return std::log2(x); }},
      {"sin", [](double x) { return std::sin(x); }},
      {"cos", [](double x) { return std::cos(x); }},
      {"floor", [](double x) { return std::floor(x); }},
      {"ceil", [](double x) { return std::ceil(x); }},
      {"erf", [](double x) { return std::erf(x); }},
      {"gelu_tanh",
       [](double x) {
         return x / 2 *
                (1 +
                 std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
       }},
  };
  std::vector<float> a = randomFloats(5);
  for (auto [name, exact] : functions) {
    std::string text(name);
    std::vector<float> c =
        runTiles(direct("f32", "task.init sfpu \"" + text + "\"\ntask.sfpu \"" +
                                   text + "\" %d[%c0]"),
                 a, a);
    for (int i = 0; i < 1024; ++i) {
      double expected = exact(a[i]);
      if (std::isnan(expected))
        EXPECT_FALSE(std::isfinite(c[i])) << name << " of " << a[i];
      else
        ASSERT_NEAR(c[i], expected, 2e-6 + 2e-7 * std::abs(expected))
            << name << " of " << a[i];
    }
  }
}

TEST_F(VectorOps, ASelectionByAComparisonAndAFill) {
  std::vector<float> a = randomFloats(6), b = randomFloats(7);
  std::vector<float> c = runTiles(direct("f32", R"(
      task.init sfpu "lt"
      task.sfpu_binary "lt" %d[%c0], %d[%c1] into %d[%c2]
      task.init sfpu "fill"
      task.fill_register %d[%c3] with 2.5 : f32
      task.init sfpu "select"
      task.select %d[%c2], %d[%c3], %d[%c1] into %d[%c0]
      task.init sfpu "ge"
      task.sfpu "ge" %d[%c1], 1.0
      task.init sfpu "add"
      task.sfpu_binary "add" %d[%c0], %d[%c1] into %d[%c0]
    )"),
                                  a, b);
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(c[i], (a[i] < b[i] ? 2.5f : b[i]) + (b[i] >= 1 ? 1.0f : 0.0f));
}

TEST_F(VectorOps, IntegersAreComputedChosenAndConverted) {
  std::mt19937 random(8);
  std::vector<int32_t> a(1024), b(1024);
  for (int i = 0; i < 1024; ++i) {
    a[i] = static_cast<int32_t>(random());
    b[i] = static_cast<int32_t>(random() % 100) - 50;
  }
  // Small integers are denormal floats: a selection must not lose them.
  std::vector<int32_t> c = runTiles(direct("i32", R"(
      task.init sfpu "muli"
      task.sfpu_binary "muli" %d[%c0], %d[%c1] into %d[%c0]
      task.init sfpu "fill"
      task.fill_register %d[%c2] with 3 : i32
      task.init sfpu "lti"
      task.sfpu_binary "lti" %d[%c2], %d[%c1] into %d[%c3]
      task.init sfpu "select"
      task.select %d[%c3], %d[%c1], %d[%c0] into %d[%c0]
      task.init sfpu "addi"
      task.sfpu_binary "addi" %d[%c0], %d[%c2] into %d[%c0]
    )"),
                                    a, b);
  for (int i = 0; i < 1024; ++i) {
    uint32_t product = static_cast<uint32_t>(int64_t(a[i]) * b[i]);
    ASSERT_EQ(static_cast<uint32_t>(c[i]),
              (3 < b[i] ? static_cast<uint32_t>(b[i]) : product) + 3);
  }
  c = runTiles(direct("i32", R"(
      task.init sfpu "sitofp"
      task.sfpu "sitofp" %d[%c1]
      task.init sfpu "mul"
      task.sfpu "mul" %d[%c1], 0.4
      task.init sfpu "fptosi"
      task.sfpu "fptosi" %d[%c1]
      task.init sfpu "ori"
      task.sfpu_binary "ori" %d[%c1], %d[%c1] into %d[%c0]
    )"),
               a, b);
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(c[i], static_cast<int32_t>(b[i] * 0.4f));
}

TEST_F(VectorOps, NumbersKnownAtRunTime) {
  std::vector<float> a = randomFloats(10);
  std::vector<float> c = runTiles(direct("f32", R"(
      %n = affine.apply affine_map<(x) -> (x + 70000)>(%c3)
      task.init sfpu "fill"
      task.fill_register %d[%c1] number %n as f32
      task.fill_register %d[%c2] number %n as i32
      task.init sfpu "sitofp"
      task.sfpu "sitofp" %d[%c2]
      task.init sfpu "sub"
      task.sfpu_binary "sub" %d[%c1], %d[%c2] into %d[%c1]
      task.init sfpu "mul"
      task.sfpu "mul" %d[%c0] number %c3
      task.init sfpu "add"
      task.sfpu_binary "add" %d[%c0], %d[%c1] into %d[%c0]
    )"),
                                  a, a);
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(c[i], a[i] * 3);
}

TEST_F(VectorOps, IntegersNeedAWideDst) {
  TileProgram p = direct("i32", "");
  p.dst = "bf16";
  auto parsed = parse(textOf(p));
  EXPECT_TRUE(failed(time(parsed)));
  EXPECT_NE(errors.find("of 32-bit integers, which a Dst of 'bf16' does not "
                        "hold; the program needs one of f32"),
            std::string::npos)
      << errors;
}

TEST_F(VectorOps, ADirectTileIsTransposedBitForBit) {
  std::vector<float> a = randomFloats(9);
  TileProgram p = direct("f32", "");
  p.compute = "task.init transpose(%a)\ntask.transpose %a[%c0] into %d[%c0]\n";
  std::vector<float> c = runTiles(p, a, a);
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(c[i], a[i % 32 * 32 + i / 32]);
}

TEST_F(VectorOps, AnOperationNeedsItsSetUp) {
  for (auto [operation, wanted] :
       {std::pair("task.select %d[%c0], %d[%c0], %d[%c1] into %d[%c0]",
                  "sfpu select"),
        {"task.fill_register %d[%c0] with 1.0 : f32", "sfpu fill"},
        {"task.reduce sum over row %ones[%c0] by %ones into %d[%c2]",
         "reduce sum over row of (bf16, bf16)"}}) {
    errors.clear();
    EXPECT_TRUE(failed(time(parse(textOf(direct("f32", operation))))));
    EXPECT_NE(errors.find("needs the set-up '" + std::string(wanted)),
              std::string::npos)
        << errors;
  }
}

} // namespace
} // namespace drawloom::sim
