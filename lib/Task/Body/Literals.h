// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of a body.

#ifndef DRAWLOOM_LIB_TASK_BODY_LITERALS_H
#define DRAWLOOM_LIB_TASK_BODY_LITERALS_H

#include "mlir/IR/Builders.h"

namespace drawloom::task {

/// A number as an attribute of a float or integer type.
mlir::TypedAttr numberOf(mlir::Type element, double value);

/// The tensor that has a number in every lane.
mlir::Value splat(mlir::OpBuilder &b, mlir::Location loc, mlir::RankedTensorType type,
                  double value);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_LITERALS_H
