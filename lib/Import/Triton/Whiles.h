// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `while` loops that count.

#ifndef DRAWLOOM_IMPORT_TRITON_WHILES_H
#define DRAWLOOM_IMPORT_TRITON_WHILES_H

#include "drawloom/Import/Triton/Triton.h"

namespace drawloom::tt {

/// Turns `while` loops that count an integer up to an end, both of which follow
/// from outside the loop, into loops over a range. Others stay.
void countWhiles(FuncOp function);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_WHILES_H
