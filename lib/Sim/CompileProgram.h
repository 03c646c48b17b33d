// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a physical task program to the simulator's form.
#ifndef DRAWLOOM_LIB_SIM_COMPILEPROGRAM_H
#define DRAWLOOM_LIB_SIM_COMPILEPROGRAM_H

#include "Bytecode.h"
#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Task/Task.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace drawloom::sim {

/// Emits diagnostics and fails for what cannot be simulated.
mlir::FailureOr<Program> compileProgram(task::ProgramOp program,
                                        const MachineModel &model);

/// What the kernels of one program share while they are compiled.
struct Compilation {
  Compilation(task::ProgramOp source, const MachineModel &model,
              Program &program)
      : source(source), model(model), program(program) {}

  task::ProgramOp source;
  const MachineModel &model;
  Program &program;
  llvm::DenseMap<mlir::Value, int> arrays, buffers, semaphores;
  std::map<std::string, int> setUps;

  /// A fixed cost in ticks; fails with a config error at `op` if the machine
  /// does not state it.
  mlir::FailureOr<Time> cost(mlir::Operation *op, Cost cost);
  /// The same for a cost looked up elsewhere.
  mlir::FailureOr<Time> cost(mlir::Operation *op, std::optional<double> cycles,
                             const llvm::Twine &name);
  int location(mlir::Location location);
  /// Number of a set-up's text.
  int setUp(const std::string &text);
};

/// Compiles the part of `kernel` that `thread` runs.
mlir::LogicalResult compileKernel(Compilation &compilation,
                                  task::KernelOp kernel, SimThread thread,
                                  Code &code);

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_COMPILEPROGRAM_H
