// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which extrema of f32 have to keep all digits, since something compares them.

#ifndef DRAWLOOM_LIB_TASK_BODY_COMPARED_H
#define DRAWLOOM_LIB_TASK_BODY_COMPARED_H

#include "Exact.h"

namespace drawloom::task {

/// Adds the maxima of f32 lanes of a prepared body that a comparison looks at:
/// directly, repeated, chosen, carried by a loop, or after sums and products.
/// One of the lanes is the extremum, and with 11 bits none might equal it.
void keepComparedExtrema(tile::GridOp grid, ExactOps &exact);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_COMPARED_H
