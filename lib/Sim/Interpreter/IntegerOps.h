// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer and index operations on whole tiles, and the errors they pass on.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_INTEGEROPS_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_INTEGEROPS_H

#include "TileValue.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace drawloom {

/// The result of an integer operation of arith, wrapped to its width; nothing
/// when `op` is none. What has no value, as a division by zero, gives zero. An operand whose value its
/// error leaves open leaves the result open.
std::optional<TileValue> integerOp(mlir::Operation *op,
                                   llvm::ArrayRef<TileRef> operands);

/// The low and high half of the unsigned product, of up to 32 bits each.
std::pair<TileValue, TileValue> wideProduct(const TileValue &a,
                                            const TileValue &b);

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_INTEGEROPS_H
