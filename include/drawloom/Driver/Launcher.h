// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole line for one launch: imported or parsed, planned, lowered,
// simulated, checked, emitted, reported.

#ifndef DRAWLOOM_DRIVER_LAUNCHER_H
#define DRAWLOOM_DRIVER_LAUNCHER_H

#include "drawloom/Driver/Options.h"
#include "drawloom/Import/Launch.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace drawloom {

/// What one launch gave: the JSON object of the report and the text a person
/// reads. `passed` is false when `check` found an element beyond its bound.
struct LaunchReport {
  llvm::json::Object json;
  std::string text;
  bool passed = true;
};

/// Where a launch's arrays lie, by argument index of the program's arrays.
using ArgumentMemory = std::vector<std::byte *>;

/// Runs launches under the same options. Holds the context and the machine.
class Launcher {
public:
  /// Fails, with a diagnostic, when the machine cannot be loaded.
  static mlir::FailureOr<std::unique_ptr<Launcher>> create(mlir::MLIRContext &context,
                                                           const Options &options);

  /// A Triton launch; pointer arguments are read and written in place.
  mlir::FailureOr<LaunchReport> launch(llvm::StringRef ttir, llvm::StringRef sourceName,
                                       const Launch &launch);

  /// A module in any state. `memory` has one pointer per launch argument;
  /// empty: arrays are made here, with values from `seed`.
  mlir::FailureOr<LaunchReport> launch(mlir::OwningOpRef<mlir::ModuleOp> module,
                                       ArgumentMemory memory, uint64_t seed = 0);

  const MachineModel &getMachine() const { return machine; }

private:
  Launcher(mlir::MLIRContext &context, const Options &options, MachineModel machine)
      : context(context), options(options), machine(std::move(machine)) {}

  mlir::MLIRContext &context;
  Options options;
  MachineModel machine;
};

/// Registers every dialect the line uses.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace drawloom

#endif // DRAWLOOM_DRIVER_LAUNCHER_H
