// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a kernel reaches memory or decides what runs.

#ifndef DRAWLOOM_IMPORT_TRITON_LIVE_H
#define DRAWLOOM_IMPORT_TRITON_LIVE_H

#include "Evaluate.h"

namespace drawloom::tt {

/// Operations that stores, conditions and loop bounds are computed from, and
/// those themselves.
llvm::DenseSet<mlir::Operation *> liveOperations(const Kernel &kernel);

/// Indices that live operations use as numbers: as data, in conditions, in
/// arithmetic that is not affine.
std::vector<std::pair<IndexExpr, mlir::Operation *>>
indicesAsData(const Kernel &kernel);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_LIVE_H
