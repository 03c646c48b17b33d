// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lowering moves out of loops before it plans buffers.

#ifndef DRAWLOOM_LIB_PLAN_INVARIANTS_H
#define DRAWLOOM_LIB_PLAN_INVARIANTS_H

#include "drawloom/Plan/Problem.h"

namespace drawloom::plan {

/// The levels of `nest` at whose every iteration `op` runs: without those of
/// the innermost loops that neither it nor what it is computed from depends on.
llvm::ArrayRef<int> nestOfInvariant(mlir::Operation *op, llvm::ArrayRef<int> nest,
                                    const Problem &problem);

} // namespace drawloom::plan

#endif // DRAWLOOM_LIB_PLAN_INVARIANTS_H
