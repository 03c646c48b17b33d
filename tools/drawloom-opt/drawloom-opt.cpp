// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, verifies and transforms programs and machines in any of the project's
// dialects: the tool behind the lit tests.
#include "drawloom/Machine/Machine.h"
#include "drawloom/Task/TaskPasses.h"
#include "drawloom/Tile/TilePasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  // Upstream.
  registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  // Ours, in the order of the line.
  registry.insert<drawloom::df::DfDialect, drawloom::tile::TileDialect,
                  drawloom::task::TaskDialect>();
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::registerTransformsPasses();
  drawloom::tile::registerTilePasses();
  drawloom::task::registerTaskPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Drawloom optimizer driver\n", registry));
}
