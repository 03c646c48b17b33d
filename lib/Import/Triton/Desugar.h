// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs of the source that others can say.

#ifndef DRAWLOOM_IMPORT_TRITON_DESUGAR_H
#define DRAWLOOM_IMPORT_TRITON_DESUGAR_H

#include "drawloom/Import/Triton/Triton.h"

namespace drawloom::tt {

/// Writes histograms as comparisons with each bin and sums; of branches that
/// computed data decides, both sides, whose loads and stores get masks, and
/// selections of their results; scalars that choose between tiles as masks. What
/// it leaves is refused later, where it must be.
void desugar(FuncOp function);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_DESUGAR_H
