// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search on a GEMM: what it may choose, what it must refuse.

#include "drawloom/Machine/LoadMachine.h"
#include "drawloom/Machine/Machine.h"
#include "drawloom/Plan/Apply.h"
#include "drawloom/Plan/Explain.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace drawloom;
using namespace mlir;

namespace {

/// M x N x K in blocks of `block` x `block` x 64.
std::string gemm(int64_t m, int64_t n, int64_t k, int64_t block = 128) {
  return llvm::formatv(R"mlir(
tile.program @gemm {{
  %A = tile.array 0 "a" in : memref<{0}x{2}xbf16>
  %B = tile.array 1 "b" in : memref<{2}x{1}xbf16>
  %C = tile.array 2 "c" out : memref<{0}x{1}xbf16>
  tile.grid [{3}, {4}] {{
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.constant {5} : index
    %zero = arith.constant dense<0.0> : tensor<{6}x{6}xf32>
    %acc = scf.for %k = %c0 to %end step %c1 iter_args(%c = %zero) -> (tensor<{6}x{6}xf32>) {{
      %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> ({6} * i + r, 64 * k + c)> : memref<{0}x{2}xbf16> -> tensor<{6}x64xbf16>
      %b = tile.load %B[%k, %j] affine_map<(k, j, r, c) -> (64 * k + r, {6} * j + c)> : memref<{2}x{1}xbf16> -> tensor<64x{6}xbf16>
      %d = linalg.matmul ins(%a, %b : tensor<{6}x64xbf16>, tensor<64x{6}xbf16>) outs(%c : tensor<{6}x{6}xf32>) -> tensor<{6}x{6}xf32>
      scf.yield %d : tensor<{6}x{6}xf32>
    }
    %o = arith.truncf %acc : tensor<{6}x{6}xf32> to tensor<{6}x{6}xbf16>
    tile.store %o, %C[%i, %j] affine_map<(i, j, r, c) -> ({6} * i + r, {6} * j + c)> : tensor<{6}x{6}xbf16>, memref<{0}x{1}xbf16>
  }
})mlir", m, n, k, llvm::divideCeil(m, block), llvm::divideCeil(n, block),
                       llvm::divideCeil(k, 64), block).str();
}

class SearchTest : public ::testing::Test {
protected:
  SearchTest() {
    DialectRegistry registry;
    registry.insert<affine::AffineDialect, arith::ArithDialect, linalg::LinalgDialect,
                    scf::SCFDialect, tensor::TensorDialect, df::DfDialect, tile::TileDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.printOpOnDiagnostic(false);
  }

  FailureOr<plan::PlanResult> search(const std::string &text, StringRef machineName) {
    machine = std::make_unique<MachineModel>(*loadMachine(
        context, machineName, std::nullopt, DRAWLOOM_SOURCE_DIR "/machines"));
    module = parseSourceString<ModuleOp>(text, &context);
    program = *module->getOps<tile::ProgramOp>().begin();
    plan::chooseLayouts(program);
    problem = std::make_unique<plan::Problem>(*plan::readProblem(program));
    return plan::search(*problem, *machine, {});
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  tile::ProgramOp program;
  std::unique_ptr<MachineModel> machine;
  std::unique_ptr<plan::Problem> problem;
};

TEST_F(SearchTest, CountsFlops) {
  auto result = search(gemm(1024, 1024, 1024), "wormhole");
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(problem->flops, 2.0 * 1024 * 1024 * 1024);
}

TEST_F(SearchTest, PaddingIsNoWork) {
  std::ifstream file(DRAWLOOM_SOURCE_DIR "/test/Plan/gemm.logical.mlir");
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_TRUE(succeeded(search(text.str(), "wormhole")));
  EXPECT_NEAR(problem->flops, 2.0 * 1000 * 777 * 300, 1);
}

TEST_F(SearchTest, RanksByEstimateAndStaysInL1) {
  for (StringRef name : {"wormhole", "blackhole"}) {
    auto result = search(gemm(4096, 4096, 4096), name);
    ASSERT_TRUE(succeeded(result));
    EXPECT_GT(result->overflowing, 0);
    for (size_t i = 0; i < result->best.size(); ++i) {
      EXPECT_LE(result->best[i].estimate.l1Bytes, plan::usableBytes(*machine));
      if (i)
        EXPECT_GE(result->best[i].estimate.total, result->best[i - 1].estimate.total);
    }
  }
}

TEST_F(SearchTest, ReusesOperandsAcrossCores) {
  auto result = search(gemm(4096, 4096, 4096), "wormhole");
  ASSERT_TRUE(succeeded(result));
  // Without reuse every one of 32x32 programs reads its strips of A and B.
  double alone = 2.0 * 32 * 32 * 128 * 4096 * 2;
  EXPECT_LT(result->best.front().estimate.dramBytes, 0.3 * alone); // TileLoom saves 70 %
}

TEST_F(SearchTest, IsDeterministic) {
  auto first = search(gemm(1024, 2048, 512), "wormhole");
  std::string a = plan::summarize(first->best.front(), *problem, *machine);
  auto second = search(gemm(1024, 2048, 512), "wormhole");
  EXPECT_EQ(a, plan::summarize(second->best.front(), *problem, *machine));
}

TEST_F(SearchTest, AppliedPlanPrintsParsesAndVerifies) {
  auto result = search(gemm(1024, 1024, 1024), "wormhole");
  ASSERT_TRUE(succeeded(result));
  plan::apply(result->best.front(), *problem, *machine, Fidelity::HiFi4);
  ASSERT_TRUE(succeeded(mlir::verify(*module)));
  std::string text, again;
  llvm::raw_string_ostream(text) << *module;
  auto reread = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(reread);
  llvm::raw_string_ostream(again) << *reread;
  EXPECT_EQ(text, again);
}

TEST_F(SearchTest, AnOverflowNamesEachBuffer) {
  std::vector<std::string> notes;
  std::string error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error = diagnostic.str();
    for (Diagnostic &note : diagnostic.getNotes())
      notes.push_back(note.str());
    return success();
  });
  EXPECT_TRUE(failed(search(gemm(2048, 2048, 64, 1024), "wormhole")));
  EXPECT_NE(error.find("does not fit L1"), std::string::npos) << error;
  ASSERT_EQ(notes.size(), 4u); // a, b, c and the accumulator
  EXPECT_NE(notes.back().find("accumulator: 1024 tiles of 4096 bytes"), std::string::npos)
      << notes.back();
}

TEST_F(SearchTest, AScaleOutMachineIsRefused) {
  std::string error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error = diagnostic.str();
    return success();
  });
  auto machineText = R"mlir(
df.machine @bare {
  %x = df.spatial_dim "x" 4
  %y = df.spatial_dim "y" 4
  %c = df.core "core" scaleout(%x, %y)
})mlir";
  auto bare = parseSourceString<ModuleOp>(machineText, &context);
  ASSERT_TRUE(bare);
  auto model = createModel(*bare->getOps<df::MachineOp>().begin());
  ASSERT_TRUE(succeeded(model));
  EXPECT_FALSE(plan::enumerateMappings({8, 8}, model->dims()).empty());
  auto text = parseSourceString<ModuleOp>(gemm(256, 256, 64), &context);
  auto read = plan::readProblem(*text->getOps<tile::ProgramOp>().begin());
  EXPECT_TRUE(failed(plan::search(*read, *model, {})));
  EXPECT_NE(error.find("stops at the scale-out layer"), std::string::npos) << error;
}

} // namespace
