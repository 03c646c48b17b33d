// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs against the tables they are meant to reproduce.
#include "Machines.h"
#include <gtest/gtest.h>

using namespace drawloom;

TEST(Costs, TileBytesIncludeBlockExponents) {
  EXPECT_EQ(tileBytes(Format::BF16), 2048);
  EXPECT_EQ(tileBytes(Format::FP32), 4096);
  EXPECT_EQ(tileBytes(Format::BFP8), 1088);
  EXPECT_EQ(tileBytes(Format::BFP4), 576);
  EXPECT_EQ(phases(Fidelity::HiFi4), 4);
}

// Cycles per 32x32x32 product at the best published shapes, derived from the
// device utilisation of the GEMM report. WH bf16 HiFi2 and bfp8 LoFi set the
// unpack line; the others test it.
TEST(Costs, MatmulProductsTakeWhatTheBestShapesTake) {
  struct Row {
    const char *machine;
    Format format;
    Fidelity fidelity;
    double cycles;
  };
  const Row rows[] = {
      {"wormhole", Format::BF16, Fidelity::HiFi4, 69.3},
      {"wormhole", Format::BF16, Fidelity::HiFi2, 42.7},
      {"wormhole", Format::BFP8, Fidelity::HiFi2, 35.9},
      {"wormhole", Format::BFP8, Fidelity::LoFi, 22.75},
      {"wormhole", Format::BFP4, Fidelity::LoFi, 18.2},
      {"blackhole", Format::BF16, Fidelity::HiFi4, 67.4},
      {"blackhole", Format::BF16, Fidelity::HiFi2, 35.5},
      {"blackhole", Format::BFP8, Fidelity::HiFi2, 35.3},
      {"blackhole", Format::BFP8, Fidelity::LoFi, 18.3},
      {"blackhole", Format::BFP4, Fidelity::LoFi, 17.9},
  };
  for (const Row &row : rows) {
    MachineModel machine = load(row.machine);
    auto cycles = machine.matmulCycles(row.format, row.format, row.fidelity);
    ASSERT_TRUE(cycles);
    EXPECT_NEAR(*cycles / row.cycles, 1.0, 0.05)
        << row.machine << " " << stringifyFormat(row.format).str() << " "
        << stringifyFidelity(row.fidelity).str();
  }
}

TEST(Costs, SingleCallsMatchTheBlackholeBenchmark) {
  MachineModel machine = load("blackhole");
  for (auto [fidelity, cycles] : {std::pair(Fidelity::LoFi, 34.92),
                                  {Fidelity::HiFi2, 52.47},
                                  {Fidelity::HiFi4, 86.12}})
    EXPECT_NEAR(
        *machine.matmulCycles(Format::BF16, Format::BF16, fidelity, false),
        cycles, 0.6);
}

TEST(Costs, ElementwiseIsBoundByTheUnpacker) {
  MachineModel wormhole = load("wormhole"), blackhole = load("blackhole");
  auto add = [](const MachineModel &machine) {
    return machine
        .tileOp(TileOp::Add, Format::BF16, Format::BF16, Fidelity::HiFi4)
        ->bound();
  };
  EXPECT_NEAR(add(wormhole), 64, 2);
  EXPECT_NEAR(add(blackhole), 32, 2);
  EXPECT_EQ(
      wormhole.tileOp(TileOp::Mul, Format::BF16, Format::BF16, Fidelity::HiFi4)
          ->math,
      32);
  EXPECT_EQ(*wormhole.packCycles(Format::BF16), 32);
  EXPECT_EQ(*wormhole.packCycles(Format::FP32), 64);
  EXPECT_EQ(*wormhole.packCycles(Format::FP32, true), 512);
}

TEST(Costs, VectorFunctionsByWidthAndMode) {
  MachineModel machine = load("wormhole");
  EXPECT_EQ(machine.sfpuCycles("exp", false), 1161);
  EXPECT_EQ(machine.sfpuCycles("exp", true), 2533);
  EXPECT_EQ(machine.sfpuCycles("exp_approx", false), 189);
  EXPECT_EQ(machine.sfpuCycles("lgamma", false), std::nullopt);
}

TEST(Costs, BothChipsStateEveryCostAndLimit) {
  for (const char *name : {"wormhole", "blackhole"}) {
    MachineModel machine = load(name);
    for (uint32_t kind = 0; kind <= getMaxEnumValForCost(); ++kind)
      EXPECT_TRUE(machine.cycles(static_cast<Cost>(kind)))
          << name << " " << stringifyCost(static_cast<Cost>(kind)).str();
    for (uint32_t kind = 0; kind <= getMaxEnumValForLimit(); ++kind)
      EXPECT_TRUE(machine.limit(static_cast<Limit>(kind))) << name;
    for (uint32_t kind = 0; kind <= getMaxEnumValForTileOp(); ++kind)
      EXPECT_TRUE(machine.tileOp(static_cast<TileOp>(kind), Format::BF16,
                                 Format::BF16, Fidelity::HiFi4))
          << name;
    EXPECT_EQ(machine.matrixNumbers()->srcMantissaBits, 10);
    EXPECT_EQ(machine.vectorNumbers()->storeRounding, Rounding::Truncate);
    bool wormhole = machine.name() == "wormhole";
    EXPECT_EQ(machine.matrixNumbers()->misnormalisesMinusOne, wormhole);
    EXPECT_EQ(machine.vectorNumbers()->keepsZeroSign, !wormhole);
    EXPECT_EQ(machine.vectorNumbers()->nan,
              wormhole ? 0x7F800001u : 0x7FC00000u);
    EXPECT_TRUE(machine.hostConversionRate());
  }
}

TEST(Costs, PaperMachinesCostElementsOverThroughput) {
  MachineModel torus = load("torus");
  // Table 1's 64 TFLOPS (65.5 unrounded): 1024 operations a cycle and core.
  EXPECT_EQ(*torus.matmulCycles(Format::BF16, Format::BF16, Fidelity::HiFi4),
            64);
  EXPECT_EQ(*torus.sfpuCycles("exp", true), 32);
}
