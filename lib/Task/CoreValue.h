// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel's scalars are on one core.

#ifndef DRAWLOOM_LIB_TASK_COREVALUE_H
#define DRAWLOOM_LIB_TASK_COREVALUE_H

#include "drawloom/Task/Task.h"

namespace drawloom::task {

/// Scalars on core (x, y), as far as they do not depend on loops.
class CoreValues {
public:
  CoreValues(int64_t x, int64_t y) : x(x), y(y) {}

  /// The value of an index or a condition; nothing when a loop decides it.
  std::optional<int64_t> evaluate(mlir::Value value) const;
  /// Whether the core may reach `op`: no branch around it is known to go the
  /// other way.
  bool mayRun(mlir::Operation *op) const;

private:
  int64_t x, y;
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_COREVALUE_H
