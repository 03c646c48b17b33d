// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What index values are at one point of the grid and its loops.

#ifndef DRAWLOOM_LIB_PLAN_INDEXVALUES_H
#define DRAWLOOM_LIB_PLAN_INDEXVALUES_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

namespace drawloom::plan {

class IndexValues {
public:
  void set(mlir::Value index, int64_t value) { known[index] = value; }
  /// The value of an integer or condition; nothing when memory decides it, or
  /// an index that is not set.
  std::optional<int64_t> of(mlir::Value value) const;
  /// The same with 0 for what is not known.
  int64_t orZero(mlir::Value value) const { return of(value).value_or(0); }
  /// `expr` over `at` and then zeros, with 0 for what is not known.
  int64_t evaluate(mlir::AffineExpr expr, mlir::ValueRange at, unsigned dims) const;

private:
  llvm::DenseMap<mlir::Value, int64_t> known;
};

} // namespace drawloom::plan

#endif // DRAWLOOM_LIB_PLAN_INDEXVALUES_H
