// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float16, which no engine's lanes hold exactly.

#ifndef DRAWLOOM_IMPORT_TRITON_FLOAT16_H
#define DRAWLOOM_IMPORT_TRITON_FLOAT16_H

#include "drawloom/Import/Triton/Triton.h"

namespace drawloom::tt {

/// Holds what is float16 as float32, which has all its values: types, constants
/// and arguments change, conversions between the two fall away. What the kernel
/// rounds to float16 on its way keeps more digits; what it stores the host rounds.
/// Warns at the kernel where it has any.
void holdFloat16AsFloat32(FuncOp function);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_FLOAT16_H
