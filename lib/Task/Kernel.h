// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a mapped grid asks of the engines, recognised before anything is written.

#ifndef DRAWLOOM_LIB_TASK_KERNEL_H
#define DRAWLOOM_LIB_TASK_KERNEL_H

#include "Delivery.h"
#include "Expression.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <vector>

namespace drawloom::task {

/// A product of two loaded tiles, accumulated over the reduction loop.
struct Product {
  mlir::linalg::MatmulOp op;
  unsigned lhs, rhs; ///< deliveries
  bool lhsTransposed = false, rhsTransposed = false;
  mlir::Value result; ///< after the loop
};

/// One stored tile: its computation, and its way out.
struct Root {
  Expression expression;
  Steps steps;
  Departure departure;
};

struct Kernel {
  tile::ProgramOp program;
  std::optional<Schedule> schedule;
  std::vector<Delivery> deliveries;
  std::optional<Product> product;
  std::vector<Root> roots;

  /// The delivery of `load`.
  const Delivery &deliveryOf(tile::LoadOp load) const;
};

/// Recognises the program: grids of loads, one reduction loop with a matrix
/// product, element-wise operations, stores. Buffers are not there yet. Fails,
/// with an error that says what to do, on anything else.
mlir::FailureOr<Kernel> recognise(tile::ProgramOp program, const MachineModel &model);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_KERNEL_H
