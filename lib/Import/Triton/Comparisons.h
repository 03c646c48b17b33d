// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons as the import follows them.

#ifndef DRAWLOOM_IMPORT_TRITON_COMPARISONS_H
#define DRAWLOOM_IMPORT_TRITON_COMPARISONS_H

#include "drawloom/Import/Launch.h"
#include "drawloom/Import/Triton/Triton.h"

namespace drawloom::tt {

/// Decides comparisons of floats that the launch passes, and compares with each
/// of several numbers in place of their minimum: `i < min(a, b)` is `i < a` and
/// `i < b`. Minima that become floats are minima of floats. `positions` are those of the function's arguments in the launch's.
void simplifyComparisons(FuncOp function, const Launch &launch, llvm::ArrayRef<unsigned> positions);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_COMPARISONS_H
