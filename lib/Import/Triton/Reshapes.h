// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshapes that move lanes to other tiles, as loads and stores of other shapes.

#ifndef DRAWLOOM_IMPORT_TRITON_RESHAPES_H
#define DRAWLOOM_IMPORT_TRITON_RESHAPES_H

#include "drawloom/Import/Triton/Triton.h"

namespace drawloom::tt {

/// Loads what is reshaped in the shape it is used in, stores it in the shape it
/// is computed in, and reduces the axes that a reshape joined one after another
/// (`tl.sum(x)` of a matrix). Halves (tl.split, join, interleave) are left, and
/// what is made other than lane by lane.
void dropReshapes(FuncOp function);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_RESHAPES_H
