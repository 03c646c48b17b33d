// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stations of the line as functions: the only place that orders them.

#ifndef DRAWLOOM_DRIVER_STATIONS_H
#define DRAWLOOM_DRIVER_STATIONS_H

#include "drawloom/Driver/Options.h"
#include "drawloom/Plan/Search.h"
#include "drawloom/Sim/SimResult.h"
#include "drawloom/Task/Task.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace drawloom {

/// The programs of a module: the tile program, and the task program made from
/// it once there is one.
struct Programs {
  tile::ProgramOp tile;
  task::ProgramOp task;

  /// Fails, at the module, when it holds none or several of a kind.
  static mlir::FailureOr<Programs> find(mlir::ModuleOp module);
  /// Whether the line may take the programs up: the logical contract holds, the
  /// arrays have room in the machine, and a task program works on the arrays of
  /// the tile program beside it.
  mlir::LogicalResult verify(const MachineModel &machine);
  State state();
};

/// A search and the candidate it ended with.
struct Plan {
  plan::Problem problem;
  plan::PlanResult result;
  size_t chosen = 0;
};

/// Logical, and verified, to mapped: plans, and with `options.topK` > 1 simulates the best
/// candidates without values and takes the fastest.
mlir::FailureOr<Plan> planProgram(mlir::ModuleOp module, const MachineModel &machine,
                                  const Options &options);

/// The same of a program in which rows share tiles, or of the same with each `rows`
/// on its own: whichever is expected to take fewer cycles, or can be lowered at
/// all. `module` is left with that one.
mlir::FailureOr<Plan> planEither(mlir::OwningOpRef<mlir::ModuleOp> &module,
                                 mlir::OwningOpRef<mlir::ModuleOp> rows, const MachineModel &machine,
                                 const Options &options);

/// Mapped or logical task state to the state `to`; the tile program stays
/// beside the task program, so that a later run can be checked.
mlir::LogicalResult lowerProgram(mlir::ModuleOp module, const MachineModel &machine, State to);

} // namespace drawloom

#endif // DRAWLOOM_DRIVER_STATIONS_H
