// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// program.json: what the host must know to run an emitted program.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_DESCRIBE_H
#define DRAWLOOM_LIB_TARGET_METALIUM_DESCRIBE_H

#include "Names.h"
#include "drawloom/Machine/MachineModel.h"

namespace drawloom::metalium {

/// The description as JSON; its schema is documented in run.py.
std::string describe(task::ProgramOp program, const MachineModel &model,
                     const ProgramNames &names);

/// "dm0", "dm1" or "compute": the name of a kernel's source without ".cpp".
llvm::StringRef sourceName(task::KernelOp kernel);

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_DESCRIBE_H
