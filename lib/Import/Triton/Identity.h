// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a reduction may start from.

#ifndef DRAWLOOM_IMPORT_TRITON_IDENTITY_H
#define DRAWLOOM_IMPORT_TRITON_IDENTITY_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace drawloom::tt {

/// Values that change nothing when combined with others by `combiner`, whose
/// arguments are two tuples. Known for single sums, products, minima and
/// maxima; for other combiners found among 0, 1 and the extremes of each type
/// by evaluating the combiner on examples. Nothing where there are none, or
/// where the combiner is more than arithmetic.
std::optional<llvm::SmallVector<mlir::TypedAttr>>
identityOf(mlir::Block &combiner);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_IDENTITY_H
