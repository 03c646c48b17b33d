// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cycles of the compute engine.

#ifndef DRAWLOOM_LIB_PLAN_COMPUTECOST_H
#define DRAWLOOM_LIB_PLAN_COMPUTECOST_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Plan/Candidate.h"
#include "drawloom/Plan/Problem.h"

namespace drawloom::plan {

/// Cycles of each stage in one wave of the busiest core: the longer of the math
/// and the pack thread, and then the last tile's way through the packer, for
/// which the next stage waits.
std::vector<double> stageCycles(const Problem &problem, const Candidate &candidate,
                                const MachineModel &machine, Fidelity fidelity);

/// The stages one after the other.
double computeCycles(const Problem &problem, const Candidate &candidate,
                     const MachineModel &machine, Fidelity fidelity);

} // namespace drawloom::plan

#endif // DRAWLOOM_LIB_PLAN_COMPUTECOST_H
