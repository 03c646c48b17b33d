// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Triton door: one launch of a kernel, from TTIR text to a tile program.

#ifndef DRAWLOOM_IMPORT_TRITON_IMPORTTRITON_H
#define DRAWLOOM_IMPORT_TRITON_IMPORTTRITON_H

#include "drawloom/Import/Launch.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace drawloom {

/// A launch as a module with one `tile.program` in its logical state.
struct ImportedLaunch {
  /// Programs of one row each share tiles.
  mlir::OwningOpRef<mlir::ModuleOp> program;
  /// The same with each row on its own; null where no rows share tiles.
  mlir::OwningOpRef<mlir::ModuleOp> rows;
};

/// Imports the kernel of `launch` from `ttir` (Triton 3.5 to 3.9, with debug
/// locations where the caller has them), specialised on the grid and the integer
/// arguments.
/// `sourceName` names the text in errors about the text itself. What cannot be
/// represented is refused: an error at the kernel's own line, through the
/// context's diagnostics. Loads the dialects it needs.
mlir::FailureOr<ImportedLaunch>
importTriton(mlir::MLIRContext &context, llvm::StringRef ttir,
             llvm::StringRef sourceName, const Launch &launch);

} // namespace drawloom

#endif // DRAWLOOM_IMPORT_TRITON_IMPORTTRITON_H
