// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often the loops and branches of a grid's body run.

#ifndef DRAWLOOM_LIB_PLAN_TRIPS_H
#define DRAWLOOM_LIB_PLAN_TRIPS_H

#include "drawloom/Plan/Problem.h"

namespace drawloom::plan {

/// The level that `op` (an scf.for or scf.if) makes inside `nest`. Bounds that
/// are affine in indices are counted at every point of the grid; those read
/// from memory are guessed: half of what the loop's accesses leave room for,
/// half of the branches.
Loop levelOf(mlir::Operation *op, bool isElse, const Problem &problem, llvm::ArrayRef<int> nest);

/// Whether `value` may change with `source`, an index of the grid or a loop.
bool dependsOn(mlir::Value value, mlir::Value source);

} // namespace drawloom::plan

#endif // DRAWLOOM_LIB_PLAN_TRIPS_H
