// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that stay inside the `tile` dialect.

#ifndef DRAWLOOM_TILE_TILEPASSES_TD
#define DRAWLOOM_TILE_TILEPASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyLogical : Pass<"tile-verify-logical", "::mlir::ModuleOp"> {
  let summary = "Check the contract that both front doors meet";
  let description = [{
    Refuses programs the rest of the line does not take: operations and types
    outside the accepted ones, indices that are not affine, accesses outside
    their arrays, undefined lanes that reach memory or a reduction, and grid
    points that depend on each other. Each error says the rule and its reason.
  }];
}

def VerifyMapped : Pass<"tile-verify-mapped", "::mlir::ModuleOp"> {
  let summary = "Check that a program says where and when everything happens";
  let description = [{
    Every program names its machine and precision, every array its layout,
    every grid its mapping and every load its travel, hoist and depth; a hoist
    stays within the load's nest, and a tile is multicast only along machine
    dimensions it does not depend on.
  }];
}

def Fold : Pass<"tile-fold", "::mlir::ModuleOp"> {
  let summary = "Let 32 programs of one row each share a tile";
  let description = [{
    A grid dimension that walks an axis of its own in every access becomes an
    axis of lanes: extent `e` becomes `ceil(e / 32)`, index `i` becomes
    `32 * i + r` with the row `r`, tensor<C> becomes tensor<32xC> and a scalar
    tensor<32>. Values that are the same in all these programs keep their shape
    and are broadcast where they meet rows. Where 32 does not divide the extent,
    loads and stores are bounded by it, and such loads padded with 0.

    Only values of rank 0 and 1 fold, and only where control does not depend on
    the dimension, no bound compares rows with lanes, and each program stores to
    its own place. Rows that are whole tiles computed lane by lane stay as they
    are. A grid that nothing folds is left alone.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

#endif // DRAWLOOM_TILE_TILEPASSES_TD
