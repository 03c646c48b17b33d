// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, broadcasts of their results, and what their set-up changes.
#include "Programs.h"
#include "TilePrograms.h"

namespace drawloom::sim {
namespace {

class Reduce : public ProgramTest {
protected:
  void runTiles(const TileProgram &program, llvm::StringRef on = "wormhole") {
    std::string text = textOf(program);
    size_t at = text.find("wormhole");
    text.replace(at, 8, on.str());
    auto parsed = parse(text);
    ASSERT_TRUE(parsed) << errors;
    ASSERT_TRUE(
        succeeded(run(parsed, {bytesOf(a), bytesOf(b), bytesOf(c)}, on)))
        << errors;
  }
  void expectError(const TileProgram &program, llvm::StringRef text) {
    errors.clear();
    auto parsed = parse(textOf(program));
    ASSERT_TRUE(parsed) << errors;
    EXPECT_TRUE(failed(time(parsed)));
    EXPECT_NE(errors.find(text.str()), std::string::npos)
        << "wanted: " << text.str() << "\ngot: " << errors;
  }
  double at(const std::vector<Bf16> &tile, int row, int column) {
    return fromBf16(tile[row * 32 + column]);
  }
  std::vector<Bf16> a = smallIntegers(1024, 3), b = smallIntegers(1024, 4);
  std::vector<float> c = std::vector<float>(1024);
};

TEST_F(Reduce, TwoTilesIntoOneAndZerosBesideTheResult) {
  for (llvm::StringRef on : {"wormhole", "blackhole"})
    for (bool sums : {true, false})
      for (std::string over : {"row", "column", "scalar"}) {
        TileProgram p;
        std::string kind = sums ? "sum" : "max";
        p.compute = "task.init reduce(%a, %ones) " + kind + " over " + over +
                    "\ntask.reduce " + kind + " over " + over +
                    " %a[%c0] by %ones into %d[%c0]\n" +
                    "task.init reduce(%b, %ones) " + kind + " over " + over +
                    "\ntask.reduce " + kind + " over " + over +
                    " %b[%c0] by %ones into %d[%c0]\n";
        runTiles(p, on);
        std::vector<double> expected(1024, 0);
        std::vector<bool> begun(1024);
        for (int row = 0; row < 32; ++row)
          for (int column = 0; column < 32; ++column)
            for (double x : {at(a, row, column), at(b, row, column)}) {
              int lane = (over == "row"      ? 32 * row
                          : over == "column" ? column
                                             : 0);
              double &to = expected[lane];
              to = !begun[lane] ? x : sums ? to + x : std::max(to, x);
              begun[lane] = true;
            }
        for (int i = 0; i < 1024; ++i)
          ASSERT_EQ(c[i], expected[i]) << kind << " over " << over << ", " << i;
      }
}

TEST_F(Reduce, MaximaOfNegativeValuesStartAfresh) {
  for (Bf16 &value : a)
    value = toBf16(-4);
  TileProgram p;
  p.compute = R"(
      task.init reduce(%a, %ones) max over row
      task.reduce max over row %a[%c0] by %ones into %d[%c0]
    )";
  runTiles(p);
  EXPECT_EQ(c[0], -4);
  EXPECT_EQ(c[32 * 31], -4);
}

/// A kernel that reduces a to the intermediate buffer and uses it broadcast.
TileProgram normalise(std::string extent, std::string broadcast) {
  TileProgram p;
  p.declared =
      "%m = task.buffer \"m\" of bf16 tiles 1 depth 1 id 4 at 147456\n";
  p.outside = R"(
    task.reserve %m, 1
    task.init pack(%m)
    task.dst {
      %r = task.register 1 slot 0
      task.init reduce(%a, %ones) max over )" +
              extent + R"(
      task.reduce max over )" +
              extent + R"( %a[%c0] by %ones into %r[%c0]
      task.pack %r[%c0] into %m[%c0]
    }
    task.push %m, 1
    task.wait %m, 1
    task.init pack(%c)
  )";
  p.compute = "task.init binary(%a, %m) sub broadcast " + broadcast +
              "\ntask.binary sub %a[%c0], %m[%c0] into %d[%c0] broadcast " +
              broadcast + "\ntask.init copy(%m) broadcast " + broadcast +
              "\ntask.copy %m[%c0] into %d[%c1] broadcast " + broadcast +
              "\ntask.init sfpu \"sub\"\n"
              "task.sfpu_binary \"sub\" %d[%c0], %d[%c1] into %d[%c0]\n"
              "task.pop %m, 1\n";
  return p;
}

TEST_F(Reduce, ResultsAreBroadcastColumnRowAndScalar) {
  for (auto [extent, broadcast] :
       {std::pair<std::string, std::string>{"row", "column"},
        {"column", "row"},
        {"scalar", "scalar"}}) {
    runTiles(normalise(extent, broadcast));
    for (int row = 0; row < 32; ++row)
      for (int column = 0; column < 32; ++column) {
        double largest = -100;
        for (int i = 0; i < 1024; ++i)
          if ((extent != "row" || i / 32 == row) &&
              (extent != "column" || i % 32 == column))
            largest = std::max(largest, at(a, i / 32, i % 32));
        ASSERT_EQ(c[row * 32 + column], at(a, row, column) - 2 * largest)
            << broadcast << " " << row << ", " << column;
      }
  }
}

TEST_F(Reduce, ItsSetUpEndsWithItsDst) {
  TileProgram p = normalise("row", "column");
  size_t init = p.compute.find("\n");
  p.compute = "task.init sfpu \"exp\"\n" + p.compute.substr(init);
  expectError(p, "needs the set-up 'sub broadcast column of (bf16, bf16)' but "
                 "runs under none");
}

TEST_F(Reduce, NeedsATileOfItsOwn) {
  TileProgram p;
  p.compute = R"(
      task.init copy(%a)
      task.copy %a[%c0] into %d[%c0]
      task.init reduce(%a, %ones) sum over row
      task.reduce sum over row %a[%c0] by %ones into %d[%c0]
    )";
  expectError(p, "reduces into a tile of Dst that already holds other values");
  p.compute = R"(
      task.init reduce(%a, %ones) sum over row
      task.reduce sum over row %a[%c0] by %ones into %d[%c0]
      task.init reduce(%a, %ones) sum over column
      task.reduce sum over column %a[%c0] by %ones into %d[%c1]
    )";
  expectError(p, "packs under the set-ups of reductions over different lanes");
}

TEST_F(Reduce, AProductNeedsAFreshTile) {
  TileProgram p;
  p.compute = R"(
      task.init copy(%a)
      task.copy %a[%c0] into %d[%c0]
      task.init binary(%a, %b) mul
      task.binary mul %a[%c0], %b[%c0] into %d[%c0]
    )";
  expectError(p, "multiplies into a tile of Dst that already holds values");
}

TEST_F(Reduce, CostsWhatTheMachineStates) {
  auto cycles = [&](int reductions) {
    TileProgram p;
    p.compute = "task.init reduce(%a, %ones) sum over row\n";
    for (int i = 0; i < reductions; ++i)
      p.compute += "task.reduce sum over row %a[%c0] by %ones into %d[%c0]\n";
    return time(parse(textOf(p)))->cycles;
  };
  std::optional<OpCycles> one = machine("wormhole")
                                    .tileOp(TileOp::ReduceRow, Format::BF16,
                                            Format::BF16, Fidelity::HiFi4);
  EXPECT_NEAR(cycles(11) - cycles(1), 10 * one->bound(), 1);
}

} // namespace
} // namespace drawloom::sim
