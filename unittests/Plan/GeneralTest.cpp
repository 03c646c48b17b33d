// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planning of programs with reductions, several loops, and data-dependent
// control flow.

#include "Programs.h"
#include "drawloom/Machine/LoadMachine.h"
#include "drawloom/Machine/Machine.h"
#include "drawloom/Plan/Apply.h"
#include "drawloom/Plan/Explain.h"
#include "drawloom/Tile/TilePasses.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>

using namespace drawloom;
using namespace mlir;

namespace {

class GeneralTest : public ::testing::Test {
protected:
  GeneralTest() {
    DialectRegistry registry;
    registry.insert<affine::AffineDialect, arith::ArithDialect, linalg::LinalgDialect,
                    math::MathDialect, scf::SCFDialect, tensor::TensorDialect, df::DfDialect,
                    tile::TileDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    machine = std::make_unique<MachineModel>(*loadMachine(
        context, "wormhole", std::nullopt, DRAWLOOM_SOURCE_DIR "/machines"));
  }

  void read(const char *text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    program = *module->getOps<tile::ProgramOp>().begin();
    plan::chooseLayouts(program);
    auto read = plan::readProblem(program);
    ASSERT_TRUE(succeeded(read));
    problem = std::move(*read);
    EXPECT_FALSE(problem.isSimple);
  }
  bool isTiled(unsigned array) {
    auto arrays = llvm::to_vector(program.getBody().getOps<tile::ArrayOp>());
    return isa<tile::TiledAttr>(arrays[array].getLayoutAttr());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  tile::ProgramOp program;
  std::unique_ptr<MachineModel> machine;
  plan::Problem problem;
};

TEST_F(GeneralTest, TilesServeRaggedRowsAndVectors) {
  read(kSoftmax);
  for (unsigned array : {0, 1, 2})
    EXPECT_TRUE(isTiled(array)) << array;
  EXPECT_TRUE(problem.dst32);
}

TEST_F(GeneralTest, ScalarsLieInRows) {
  read(kCausal);
  EXPECT_FALSE(isTiled(0));
  for (unsigned array : {1, 2, 3})
    EXPECT_TRUE(isTiled(array)) << array;
}

TEST_F(GeneralTest, WeightsAreReadOnceAndShared) {
  read(kSoftmax);
  const plan::Access &weights = problem.accesses[1];
  EXPECT_EQ(weights.tiles, 10);
  EXPECT_TRUE(weights.canHoist && weights.canShare && !weights.canGrow);
}

TEST_F(GeneralTest, TripsAreCountedOrGuessed) {
  read(kCausal);
  ASSERT_EQ(problem.loops.size(), 5u); // a branch is two levels
  EXPECT_EQ(problem.loops[0].trip, 33); // mean of 2 .. 64
  EXPECT_EQ(problem.loops[0].dims, SmallVector<int>{1});
  EXPECT_EQ(problem.loops[1].trip, 0.5);
  EXPECT_EQ(problem.loops[2].trip, 0.5);
  EXPECT_TRUE(problem.loops[3].isGuessed);
  EXPECT_EQ(problem.loops[3].trip, 32); // half of 2048 rows in blocks of 32
  EXPECT_TRUE(problem.loops[4].isUniform);
}

TEST_F(GeneralTest, OnlyWhatAllCoresDoAlikeIsShared) {
  read(kCausal);
  std::vector<bool> shared;
  for (const plan::Access &access : problem.accesses)
    if (!access.isStore)
      shared.push_back(access.canShare);
  // In a causal loop, under a condition, in a loop of read bounds, in one of constants.
  EXPECT_EQ(shared, (std::vector<bool>{false, false, false, true}));
}

/// Every plan that the search returns is one the mapped state allows.
TEST_F(GeneralTest, PlansAreLegal) {
  for (const char *text : {kSoftmax, kCausal}) {
    read(text);
    plan::PlanOptions options;
    options.topK = 1 << 20;
    auto result = plan::search(problem, *machine, options);
    ASSERT_TRUE(succeeded(result));
    EXPECT_GT(result->best.size(), 20u);
    for (const plan::Candidate &candidate : result->best) {
      plan::apply(candidate, problem, *machine, Fidelity::HiFi4);
      ASSERT_TRUE(succeeded(mlir::verify(*module)));
      ASSERT_TRUE(succeeded(tile::verifyMapped(program)))
          << plan::summarize(candidate, problem, *machine);
    }
  }
}

TEST_F(GeneralTest, TheTableSaysWhatIsKeptAndGuessed) {
  read(kCausal);
  auto result = plan::search(problem, *machine, {});
  ASSERT_TRUE(succeeded(result));
  std::string text;
  llvm::raw_string_ostream os(text);
  plan::printTable(os, *result, problem, *machine);
  for (StringRef part : {"Of the compute: carried", "Kept in L1 between operations: carried (32x64xbf16)",
                         "taken to run 32 times", "Precision: Dst holds bf16"})
    EXPECT_NE(text.find(part), std::string::npos) << part.str() << "\n" << text;
}

TEST_F(GeneralTest, IsDeterministic) {
  std::string first;
  for (int round = 0; round < 2; ++round) {
    read(kCausal);
    auto result = plan::search(problem, *machine, {});
    ASSERT_TRUE(succeeded(result));
    std::string text = plan::summarize(result->best.front(), problem, *machine);
    EXPECT_TRUE(first.empty() || first == text) << text;
    first = text;
  }
}

} // namespace
