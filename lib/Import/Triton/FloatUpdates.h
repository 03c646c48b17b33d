// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic extrema of floats, which Triton makes of updates of their bits.

#ifndef DRAWLOOM_IMPORT_TRITON_FLOATUPDATES_H
#define DRAWLOOM_IMPORT_TRITON_FLOATUPDATES_H

#include "drawloom/Import/Triton/Triton.h"

namespace drawloom::tt {

/// Makes one `fmax` or `fmin` of each pair of integer updates that
/// tl.atomic_max or tl.atomic_min of float32 becomes: bits of floats without a
/// sign are ordered as signed numbers, bits of those with one the other way
/// round as unsigned numbers, and each lane takes one of the two. The float
/// extremum passes over a NaN as tl.maximum does; the updates of bits keep one
/// or drop it by its sign.
void joinFloatUpdates(FuncOp function);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_FLOATUPDATES_H
