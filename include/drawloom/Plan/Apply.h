// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a candidate into its program: from the logical to the mapped state.

#ifndef DRAWLOOM_PLAN_APPLY_H
#define DRAWLOOM_PLAN_APPLY_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Plan/Candidate.h"
#include "drawloom/Plan/Problem.h"

namespace drawloom::plan {

/// Gives every array its layout in device memory: tiles where all its
/// accesses are whole and aligned, else rows, of which lanes are taken in runs
/// or one by one.
void chooseLayouts(tile::ProgramOp program);

/// Writes exponentials of f32 as powers of two, e^x = 2^(x log2 e), if the
/// machine's vector unit takes fewer cycles for these in a 32-bit Dst; a GPU
/// computes them so too. x log2 e rounds to 24 bits: the result is off by up to
/// |x| 2^-24 of itself. Whether any was written.
bool writePowersOfTwo(tile::ProgramOp program, const MachineModel &machine);

/// Lets every exponential be approximate (`fastmath<afn>`). Fails, with
/// an error at the first, on a machine that has none.
mlir::LogicalResult approximateExponentials(tile::ProgramOp program, const MachineModel &machine);

/// Whether an exponential of `program` is approximate.
bool hasApproximate(tile::ProgramOp program);

/// Sets the attributes of the mapped state. Only attributes change.
void apply(const Candidate &candidate, const Problem &problem, const MachineModel &machine,
           Fidelity fidelity);

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_APPLY_H
