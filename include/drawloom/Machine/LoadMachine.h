// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a machine's name or file to its model.
#ifndef DRAWLOOM_MACHINE_LOADMACHINE_H
#define DRAWLOOM_MACHINE_LOADMACHINE_H

#include "drawloom/Machine/MachineModel.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace drawloom {
namespace df {
class MachineOp;
} // namespace df

/// The model of `machine`, cut down to `grid` (the first columns and rows) if
/// given. Emits diagnostics at the machine's operations.
mlir::FailureOr<MachineModel>
createModel(df::MachineOp machine, std::optional<GridSize> grid = std::nullopt);

/// Loads a machine by name ("wormhole") or by file ("my/chip.mlir"). A name
/// is looked up as `<name>.mlir` in $DRAWLOOM_MACHINES, then in
/// `machinesDir`. Errors go to the context's diagnostic handlers.
mlir::FailureOr<MachineModel> loadMachine(mlir::MLIRContext &context,
                                          llvm::StringRef nameOrFile,
                                          std::optional<GridSize> grid,
                                          llvm::StringRef machinesDir);

} // namespace drawloom

#endif // DRAWLOOM_MACHINE_LOADMACHINE_H
