// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every random program parses, verifies, and survives being printed.

#include "RandomProgram.h"
#include "drawloom/Tile/TilePasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace drawloom;

namespace {

class RandomPrograms : public testing::Test {
protected:
  RandomPrograms() {
    context.loadDialect<tile::TileDialect, affine::AffineDialect,
                        arith::ArithDialect, linalg::LinalgDialect,
                        math::MathDialect, scf::SCFDialect,
                        tensor::TensorDialect>();
  }
  MLIRContext context;
};

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

TEST_F(RandomPrograms, MeetTheContractAndRoundTrip) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    RandomProgram random = randomProgram(seed);
    auto module = parseSourceString<ModuleOp>(random.text, &context);
    ASSERT_TRUE(module) << "seed " << seed << "\n" << random.text;
    tile::ProgramOp program = *module->getOps<tile::ProgramOp>().begin();
    ASSERT_TRUE(succeeded(tile::verifyLogical(program)))
        << "seed " << seed << "\n"
        << random.text;
    std::string printed = print(*module);
    auto again = parseSourceString<ModuleOp>(printed, &context);
    ASSERT_TRUE(again) << printed;
    EXPECT_EQ(print(*again), printed);
  }
}

TEST_F(RandomPrograms, FollowFromTheirSeed) {
  EXPECT_EQ(randomProgram(7).text, randomProgram(7).text);
  EXPECT_NE(randomProgram(7).text, randomProgram(8).text);
}

} // namespace
