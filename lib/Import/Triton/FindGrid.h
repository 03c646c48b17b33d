// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grid on which all that a kernel needs is affine.

#ifndef DRAWLOOM_IMPORT_TRITON_FINDGRID_H
#define DRAWLOOM_IMPORT_TRITON_FINDGRID_H

#include "Access.h"
#include "GridBox.h"

namespace drawloom::tt {

/// A box of programs on which every address, bound, trip count and index used
/// as data is affine. Fails, with an error at a use that no box suits.
mlir::FailureOr<GridBox> findGrid(const Kernel &kernel,
                                  llvm::ArrayRef<Access> accesses);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_FINDGRID_H
