// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The project's machines, loaded for tests.
#ifndef DRAWLOOM_UNITTESTS_MACHINE_MACHINES_H
#define DRAWLOOM_UNITTESTS_MACHINE_MACHINES_H

#include "drawloom/Machine/LoadMachine.h"
#include "mlir/IR/MLIRContext.h"

namespace drawloom {

inline MachineModel load(llvm::StringRef name,
                         std::optional<GridSize> grid = std::nullopt) {
  mlir::MLIRContext context;
  auto machine = loadMachine(context, name, grid, DRAWLOOM_MACHINES_DIR);
  if (mlir::failed(machine))
    llvm::report_fatal_error("machine does not load");
  return *machine;
}

} // namespace drawloom

#endif // DRAWLOOM_UNITTESTS_MACHINE_MACHINES_H
