// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the vector unit calls operations on lanes.

#ifndef DRAWLOOM_LIB_TASK_BODY_VECTORNAMES_H
#define DRAWLOOM_LIB_TASK_BODY_VECTORNAMES_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace drawloom::task {

/// The function that takes or gives floats; empty if the unit has none.
llvm::StringRef floatFunction(mlir::Operation *op);

/// The same of 32-bit integers.
llvm::StringRef integerFunction(mlir::Operation *op);

/// Empty where it asks whether lanes are numbers.
llvm::StringRef comparison(mlir::arith::CmpFPredicate predicate);

/// The comparison, and whether its operands change places; empty where the
/// unit has none of unsigned lanes.
std::pair<llvm::StringRef, bool> comparison(mlir::arith::CmpIPredicate predicate);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_VECTORNAMES_H
