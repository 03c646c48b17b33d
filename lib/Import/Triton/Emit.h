// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the tile program of an evaluated kernel.

#ifndef DRAWLOOM_IMPORT_TRITON_EMIT_H
#define DRAWLOOM_IMPORT_TRITON_EMIT_H

#include "Arrays.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace drawloom::tt {

/// The module with the tile program, or errors.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
emitProgram(const Kernel &kernel, const GridBox &box,
            const Linearizer &linearize, const Arrays &arrays);

/// Refuses, at their lines, operations that are not imported.
mlir::LogicalResult refuseUnsupported(const Kernel &kernel);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_EMIT_H
