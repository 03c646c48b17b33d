// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements as they lie in the caller's memory.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_ELEMENTS_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_ELEMENTS_H

#include "mlir/IR/Types.h"
#include <cstddef>
#include <cstdint>

namespace drawloom {

/// Whether arrays of this element type can be read.
bool isReadable(mlir::Type element);

/// Reads `count` elements, `stride` elements apart, from element `offset` on.
void readElements(mlir::Type element, const std::byte *base, int64_t offset,
                  int64_t stride, int64_t count, double *to);

/// The largest finite value of the element type.
double largestFinite(mlir::Type element);

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_ELEMENTS_H
