// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading machines: sub-grids, layers, and errors instead of crashes.
#include "Machines.h"
#include "drawloom/Machine/Machine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace drawloom;
using namespace mlir;

/// The diagnostics of a load, notes included; empty if it succeeded.
static std::string
errorsOf(llvm::function_ref<LogicalResult(MLIRContext &)> load) {
  MLIRContext context;
  std::string text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    text += diagnostic.str() + "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      text += note.str() + "\n";
  });
  if (succeeded(load(context)))
    text.clear();
  else if (text.empty())
    text = "failed without a diagnostic";
  return text;
}

static std::string loadErrors(llvm::StringRef name,
                              std::optional<GridSize> grid) {
  return errorsOf([&](MLIRContext &context) -> LogicalResult {
    return loadMachine(context, name, grid, DRAWLOOM_MACHINES_DIR);
  });
}

static FailureOr<MachineModel> parse(MLIRContext &context,
                                     llvm::StringRef text) {
  context.loadDialect<df::DfDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return failure();
  return createModel(*module->getOps<df::MachineOp>().begin());
}

TEST(Load, SizesOfTheChips) {
  MachineModel wormhole = load("wormhole"), blackhole = load("blackhole");
  EXPECT_EQ(wormhole.coreCount(), 64);
  EXPECT_EQ(blackhole.coreCount(), 130);
  EXPECT_EQ(*blackhole.clockGHz(), 1.35);
  EXPECT_EQ(wormhole.bankCount(), 12);
  EXPECT_EQ(wormhole.local().size, 1499136);
  EXPECT_EQ(blackhole.local().size, 1572864);
  EXPECT_EQ(blackhole.global().readAlign, 64);
  EXPECT_EQ(wormhole.limit(Limit::CircularBuffers), 32);
  EXPECT_EQ(wormhole.dstTiles(true), 4);
  EXPECT_EQ(wormhole.dstTiles(false), 8);
  EXPECT_EQ(wormhole.network(*wormhole.defaultNetwork(Engine::DM0)).name,
            "noc0");
  EXPECT_EQ(wormhole.processorName(Engine::DM0), "RISCV_1");
  EXPECT_EQ(wormhole.network(*wormhole.defaultNetwork(Engine::DM1)).name,
            "noc1");
}

TEST(Load, ReservedBytesLeaveTheBudgetPeopleUse) {
  for (const char *name : {"wormhole", "blackhole"}) {
    Memory local = load(name).local();
    EXPECT_EQ(local.reserved % local.readAlign, 0);
    EXPECT_GT(local.size - local.reserved, 1'390'000) << name;
  }
}

TEST(Load, SubGridsKeepTheirPlaces) {
  MachineModel whole = load("blackhole");
  for (auto [columns, rows] : {std::pair(12, 10), {11, 10}, {10, 10}, {1, 1}}) {
    MachineModel part = load("blackhole", GridSize{columns, rows});
    ASSERT_EQ(part.coreCount(), columns * rows);
    EXPECT_EQ(part.local().instances, columns * rows);
    for (int core = 0; core < part.coreCount(); ++core)
      ASSERT_EQ(part.coreNode(core),
                whole.coreNode(whole.coreAt(part.coreCoords(core))));
  }
  EXPECT_EQ(load("wormhole", GridSize{4, 8}).dims()[0].size, 4);
  EXPECT_EQ(load("wormhole", GridSize{1, 8}).coreCount(), 8);
}

TEST(Load, CoordinatesAreColumnsFirst) {
  MachineModel machine = load("blackhole");
  EXPECT_EQ(machine.dims()[0].name, "x");
  EXPECT_EQ(machine.dimIndex("y"), 1);
  EXPECT_EQ(machine.dimIndex("z"), std::nullopt);
  EXPECT_EQ(machine.coreAt({3, 2}), 2 * 13 + 3);
  EXPECT_EQ(machine.coreCoords(29), (llvm::SmallVector<int64_t>{3, 2}));
}

TEST(Load, PagesGoRoundTheBanks) {
  MachineModel machine = load("wormhole");
  EXPECT_EQ(machine.interleave(0).bank, 0);
  EXPECT_EQ(machine.interleave(11).bank, 11);
  EXPECT_EQ(machine.interleave(12).bank, 0);
  EXPECT_EQ(machine.interleave(25).bank, 1);
  EXPECT_EQ(machine.interleave(25).slot, 2);
}

TEST(Load, GridsThatDoNotFitAreRefused) {
  EXPECT_NE(loadErrors("wormhole", GridSize{9, 8})
                .find("a grid of 9x8 (columns x rows) does not fit"),
            std::string::npos);
  EXPECT_NE(loadErrors("blackhole", GridSize{10, 13}).find("at most 13x10"),
            std::string::npos);
  EXPECT_NE(loadErrors("torus", GridSize{4, 4}).find("would cut links"),
            std::string::npos);
  EXPECT_NE(loadErrors("triple_ring", GridSize{4, 2})
                .find("a grid of columns x rows needs two"),
            std::string::npos);
  EXPECT_NE(loadErrors("wormhole", GridSize{0, 8}).find("does not fit"),
            std::string::npos);
}

TEST(Load, UnknownMachinesListTheKnown) {
  std::string text = loadErrors("grayskull", std::nullopt);
  EXPECT_NE(text.find("unknown machine 'grayskull'"), std::string::npos);
  EXPECT_NE(text.find("blackhole, torus, triple_ring, wormhole"),
            std::string::npos);
  EXPECT_NE(loadErrors("no/such.mlir", std::nullopt), "");
}

TEST(Load, GridTextParses) {
  EXPECT_EQ(GridSize::parse("12x10"), (GridSize{12, 10}));
  for (const char *bad : {"", "x", "12", "12x", "0x4", "-1x4", "4x4x4", "axb"})
    EXPECT_EQ(GridSize::parse(bad), std::nullopt) << bad;
}

TEST(Load, TheScaleOutLayerIsEnoughForRoutes) {
  MLIRContext context;
  auto machine = parse(context, R"(
    df.machine @m {
      %x = df.spatial_dim "x" 4
      %y = df.spatial_dim "y" 4
      %c = df.core "c" scaleout(%x, %y)
      %h = df.interconnects "h" components(%c)
        map affine_map<(x, y) -> ((x + 1) mod 4, y)> bandwidth 8
      %v = df.interconnects "v" components(%c)
        map affine_map<(x, y) -> (x, (y + 1) mod 4)> bandwidth 8
    })");
  ASSERT_TRUE(succeeded(machine));
  EXPECT_FALSE(machine->hasMemories());
  EXPECT_FALSE(machine->hasUnits());
  EXPECT_FALSE(machine->hasTorus());
  EXPECT_EQ(machine->clockGHz(), std::nullopt);
  EXPECT_EQ(machine->networkCount(), 1);
  EXPECT_EQ(machine->hops(0, machine->coreAt({1, 1}), machine->coreAt({0, 3})),
            5);
  EXPECT_EQ(machine->multicast(0, 0, {0, 0, 3, 0}).links.size(), 3u);
  EXPECT_EQ(machine->cycles(Cost::Read), std::nullopt);
  EXPECT_EQ(machine->sfpuCycles("exp", true), std::nullopt);
}

TEST(Load, CoresThatCannotBeReachedAreRefused) {
  std::string text = errorsOf([](MLIRContext &context) -> LogicalResult {
    return parse(context, R"(
      df.machine @m {
        %x = df.spatial_dim "x" 4
        %c = df.core "c" scaleout(%x)
        %h = df.interconnects "h" components(%c)
          map affine_map<(x) -> (0)> bandwidth 8
      })");
  });
  EXPECT_NE(text.find("has nodes that (0) cannot reach"), std::string::npos);
}
