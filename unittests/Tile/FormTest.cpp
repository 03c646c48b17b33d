// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How values lie in tiles.

#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <map>

using namespace drawloom;
using namespace mlir;

namespace {

struct FormTest : testing::Test {
  FormTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect, linalg::LinalgDialect, tensor::TensorDialect,
                        tile::TileDialect>();
  }
  Form of(ArrayRef<int64_t> shape, Form::Kind vector) {
    return formOf(RankedTensorType::get(shape, Float32Type::get(&context)), vector);
  }
  MLIRContext context;
};

// The largest of each row, subtracted from it; the weight of each column; and
// what nothing says more of.
constexpr const char *kRows = R"mlir(
tile.program @rows {
  %X = tile.array 0 "x" in : memref<64x96xf32>
  %W = tile.array 1 "w" in : memref<96xf32>
  %V = tile.array 2 "v" in : memref<2048xf32>
  tile.grid [1] {
  ^bb0(%i: index):
    %low = arith.constant dense<0xFF800000> : tensor<64xf32>
    %any = tensor.empty() : tensor<64x96xf32>
    %x = tile.load %X[] affine_map<(r, c) -> (r, c)> : memref<64x96xf32> -> tensor<64x96xf32>
    %w = tile.load %W[] affine_map<(c) -> (c)> : memref<96xf32> -> tensor<96xf32>
    %v = tile.load %V[] affine_map<(c) -> (c)> : memref<2048xf32> -> tensor<2048xf32>
    %m = linalg.reduce ins(%x : tensor<64x96xf32>) outs(%low : tensor<64xf32>) dimensions = [1] (%new: f32, %acc: f32) {
      %l = arith.maximumf %acc, %new : f32
      linalg.yield %l : f32
    }
    %half = arith.negf %m : tensor<64xf32>
    %ws = linalg.broadcast ins(%w : tensor<96xf32>) outs(%any : tensor<64x96xf32>) dimensions = [0]
  }
})mlir";

} // namespace

TEST_F(FormTest, VectorsTakeALineOfEachTileOrAllOfIt) {
  Form column = of({100}, Form::Column), row = of({100}, Form::Row), flat = of({2000}, Form::Flat);
  EXPECT_EQ(std::pair(column.rows, column.columns), std::pair(int64_t(4), int64_t(1)));
  EXPECT_EQ(std::pair(row.rows, row.columns), std::pair(int64_t(1), int64_t(4)));
  EXPECT_EQ(std::pair(flat.rows, flat.columns), std::pair(int64_t(1), int64_t(2)));
  EXPECT_EQ(column.rowLanes, 100);
  EXPECT_EQ(flat.columnLanes, 2000);
}

TEST_F(FormTest, OuterAxesRepeatTheLastTwo) {
  Form form = of({3, 5, 33, 64}, Form::Flat);
  EXPECT_EQ(form.kind, Form::Block);
  EXPECT_EQ(form.outer, 15);
  EXPECT_EQ(form.tiles(), 15 * 2 * 2);
  EXPECT_EQ(of({}, Form::Row).kind, Form::Scalar);
}

TEST_F(FormTest, AVectorLiesAsWhatItMeetsAsks) {
  auto module = parseSourceString<ModuleOp>(kRows, &context);
  ASSERT_TRUE(module);
  tile::GridOp grid;
  module->walk([&](tile::GridOp op) { grid = op; });
  Forms forms(grid);
  std::map<std::string, Form::Kind> kinds;
  grid.walk([&](Operation *op) {
    std::string name = op->getName().getStringRef().str();
    if (auto load = dyn_cast<tile::LoadOp>(op))
      name = load.getArray().getDefiningOp<tile::ArrayOp>().getName().str();
    if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()))
      kinds[name] = forms.of(op->getResult(0)).kind;
  });
  EXPECT_EQ(kinds["x"], Form::Block);
  EXPECT_EQ(kinds["linalg.reduce"], Form::Column);
  EXPECT_EQ(kinds["arith.negf"], Form::Column); // as its operand
  EXPECT_EQ(kinds["w"], Form::Row);
  EXPECT_EQ(kinds["v"], Form::Flat);
}
