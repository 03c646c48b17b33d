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

#endif // DRAWLOOM_TILE_TILEPASSES_TD
