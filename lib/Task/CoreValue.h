// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel's scalars are on one core.

#ifndef DRAWLOOM_LIB_TASK_COREVALUE_H
#define DRAWLOOM_LIB_TASK_COREVALUE_H

#include "drawloom/Task/Task.h"
#include "llvm/ADT/DenseMap.h"

namespace drawloom::task {

/// Scalars on core (x, y), at one iteration of the loops that are bound.
class CoreValues {
public:
  CoreValues(int64_t x, int64_t y) : x(x), y(y) {}

  /// The index of a loop from now on.
  void bind(mlir::Value index, int64_t value) { bound[index] = value; }

  /// The value of an index or a condition; nothing when an unbound loop or data
  /// decides it.
  std::optional<int64_t> evaluate(mlir::Value value) const;
  /// Whether the core may reach `op`: no branch around it is known to go the
  /// other way.
  bool mayRun(mlir::Operation *op) const;

private:
  int64_t x, y;
  llvm::DenseMap<mlir::Value, int64_t> bound;
};

/// Whether a scalar differs from core to core, besides the indices of loops.
bool dependsOnCore(mlir::Value value);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_COREVALUE_H
