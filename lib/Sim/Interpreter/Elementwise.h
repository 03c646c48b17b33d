// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of arith and math on scalars and, lane by lane, on tiles.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_ELEMENTWISE_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_ELEMENTWISE_H

#include "Approx.h"
#include "TileValue.h"
#include "drawloom/Sim/Interpreter/Policy.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace drawloom {

/// The result of one elementwise operation; nothing when `op` is none of them.
/// It has the shape of the largest operand, whatever the operation's own type:
/// the body of a reduction computes on whole slices at once.
std::optional<TileValue> elementwise(mlir::Operation *op,
                                     llvm::ArrayRef<TileRef> operands,
                                     const Policy &policy);

/// A combiner of `linalg.reduce`, e.g. `arith.maximumf`, on two elements;
/// null when `op` is none. (Sums of integers wrap, so they are none.)
using Combiner = Approx (*)(Approx, Approx);
Combiner combinerOf(mlir::Operation *op);

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_ELEMENTWISE_H
