// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of a program as values.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_CONSTANTS_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_CONSTANTS_H

#include "TileValue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace drawloom {

/// The value of a FloatAttr or IntegerAttr; an i1 is 0 or 1.
double numberOf(mlir::Attribute attribute);

/// The tile or scalar a constant is; nothing for kinds that are not known.
std::optional<TileValue> constantOf(mlir::arith::ConstantOp op);

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_CONSTANTS_H
