// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over tiles: persistent kernels as if each tile had a program.

#ifndef DRAWLOOM_IMPORT_TRITON_FLATTEN_H
#define DRAWLOOM_IMPORT_TRITON_FLATTEN_H

#include "Evaluate.h"

namespace drawloom::tt {

/// The loop of a persistent kernel: it starts where its program says, carries
/// no data, and all that the kernel stores is stored in it. Its iterations are
/// then as independent as programs are. Null when there is none.
mlir::scf::ForOp findTileLoop(const Kernel &kernel);

/// A program for each iteration each program of `kernel` runs of `loop`, in
/// ascending order of the loop variable; empty when there is none at all.
std::vector<ProgramPoint> flatten(const Kernel &kernel, mlir::scf::ForOp loop);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_FLATTEN_H
