// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors at the kernel's own source line.

#ifndef DRAWLOOM_IMPORT_TRITON_REFUSE_H
#define DRAWLOOM_IMPORT_TRITON_REFUSE_H

#include "IndexExpr.h"
#include "mlir/IR/Diagnostics.h"

namespace drawloom::tt {

/// The line a person should look at: the innermost frame of `location` outside
/// Triton's own library.
mlir::Location userLocation(mlir::Location location);

/// Emits an error there, with a note for each caller when the code was inlined.
mlir::LogicalResult refuse(mlir::Location location, const llvm::Twine &message);

/// The same, ending in what `unknown` depends on, with a note at its cause.
mlir::LogicalResult refuse(mlir::Location location, const llvm::Twine &message,
                           const Unknown &unknown);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_REFUSE_H
