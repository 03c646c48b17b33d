// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that make, place and check task programs.

#ifndef DRAWLOOM_TASK_TASKPASSES_TD
#define DRAWLOOM_TASK_TASKPASSES_TD

include "mlir/Pass/PassBase.td"

class Task_Pass<string argument, string base = "::mlir::ModuleOp"> : Pass<argument, base> {
  let dependentDialects = ["::drawloom::df::DfDialect", "::drawloom::task::TaskDialect",
                           "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TileToTask : Task_Pass<"tile-to-task"> {
  let summary = "Split mapped tile programs into the programs of a core's engines";
  let description = [{
    Each mapped `tile.program` becomes a logical `task.program`: data movers
    that bring tiles into circular buffers, alone or by multicast, and take
    results out; and a compute kernel that keeps matrix products and
    element-wise chains in Dst. The machine is the one the program names, found
    in $DRAWLOOM_MACHINES.
  }];
}

def TaskVerifyLogical : Task_Pass<"task-verify-logical"> {
  let summary = "Check that the engines of a task program fit together";
  let description = [{
    Each buffer has one producer and one consumer; running the engines' buffer
    steps against each other ends, with all buffers empty; no two multicasts
    share a semaphore; a multicast's rectangle lies in the grid and holds the
    stated number of receivers; Dst holds what is live at once.
  }];
}

def TaskAllocate : Task_Pass<"task-allocate"> {
  let summary = "Give buffers, semaphores and Dst registers their places";
  let description = [{
    Logical to physical state: buffers and semaphores are numbered in order,
    buffers laid out one after the other above what the machine reserves in L1,
    registers placed in Dst by linear scan.
  }];
}

def TaskVerifyPhysical : Task_Pass<"task-verify-physical"> {
  let summary = "Check the places of a task program against the machine";
  let description = [{
    Every buffer, semaphore and register has a place; numbers are unique and
    within the machine's limits; buffers are aligned, lie within L1 and do not
    overlap; registers lie within Dst.
  }];
}

#endif // DRAWLOOM_TASK_TASKPASSES_TD
