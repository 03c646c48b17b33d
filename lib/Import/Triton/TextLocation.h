// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in the kernel's source a line of its TTIR comes from.

#ifndef DRAWLOOM_IMPORT_TRITON_TEXTLOCATION_H
#define DRAWLOOM_IMPORT_TRITON_TEXTLOCATION_H

#include "mlir/IR/Location.h"
#include <optional>

namespace drawloom::tt {

/// The kernel's line behind line `line` (from 1) of text that does not parse,
/// read from the `loc(#locN)` it ends in. Nothing when it has none.
std::optional<mlir::Location> sourceOfLine(mlir::MLIRContext &context,
                                           llvm::StringRef ttir, unsigned line);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_TEXTLOCATION_H
