// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector unit's names of operations on floats.

#ifndef DRAWLOOM_TILE_VECTORFUNCTION_H
#define DRAWLOOM_TILE_VECTORFUNCTION_H

#include "mlir/IR/Operation.h"

namespace drawloom::tile {

/// The name of an operation of arith or math on floats, of one operand or two,
/// as `df.sfpu` and `task.sfpu` have it; empty for what the unit does not have.
llvm::StringRef vectorFunction(mlir::Operation *op);

} // namespace drawloom::tile

#endif // DRAWLOOM_TILE_VECTORFUNCTION_H
