// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `task` dialect: what each engine of a core runs.

#ifndef DRAWLOOM_TASK_TASK_H
#define DRAWLOOM_TASK_TASK_H

#include "drawloom/Machine/Formats.h"
#include "drawloom/Tile/Tile.h"

#include "drawloom/Task/TaskEnums.h.inc"
#include "drawloom/Task/TaskDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "drawloom/Task/TaskTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "drawloom/Task/TaskAttrs.h.inc"

namespace drawloom::task {
class KernelOp;

using tile::formatOf;
} // namespace drawloom::task

#define GET_OP_CLASSES
#include "drawloom/Task/TaskOps.h.inc"

#endif // DRAWLOOM_TASK_TASK_H
