// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of 8 and 16 bits, and without a sign, as signed ones of 32.

#ifndef DRAWLOOM_LIB_TASK_BODY_SMALLINTEGERS_H
#define DRAWLOOM_LIB_TASK_BODY_SMALLINTEGERS_H

#include "drawloom/Tile/Tile.h"

namespace drawloom::task {

/// The vector unit has integers of 32 bits with a sign. Those of 8
/// and 16 lie in its lanes with their sign extended: what computes on them computes
/// on 32 bits and extends the sign of the lowest again. Conversions, extrema, quotients and comparisons
/// without a sign become such with one. Exact.
void widenIntegers(tile::GridOp grid);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_SMALLINTEGERS_H
