// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether, and how, the number formats compute what a machine computes.
#ifndef DRAWLOOM_LIB_SIM_MACHINENUMBERS_H
#define DRAWLOOM_LIB_SIM_MACHINENUMBERS_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Sim/Numbers/Registers.h"

namespace drawloom::sim {

/// What the machine's units do that the number formats do not, as the end of a
/// sentence about the machine; nothing when they compute its bits.
std::optional<std::string> unmodelledNumbers(const MachineModel &model);

/// What the formats leave open, as the machine states it; nothing when it has
/// unmodelledNumbers. Without `errata`, less the faults of the silicon.
std::optional<NumberModel> numberModel(const MachineModel &model, bool errata);

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_MACHINENUMBERS_H
