// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One module on its way down the line, as far as the options ask.

#ifndef DRAWLOOM_LIB_DRIVER_RUN_H
#define DRAWLOOM_LIB_DRIVER_RUN_H

#include "drawloom/Driver/Launcher.h"
#include "drawloom/Driver/Memory.h"
#include "drawloom/Driver/Progress.h"
#include "drawloom/Driver/Report.h"
#include "drawloom/Driver/Stations.h"
#include <chrono>

namespace drawloom {

/// Seconds since it was made or last read.
class Stopwatch {
public:
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double seconds = std::chrono::duration<double>(now - since).count();
    since = now;
    return seconds;
  }

private:
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
};

/// What is known of a module that was imported; empty for one from a file.
struct Origin {
  const Launch *launch = nullptr;
  double importSeconds = 0;
  /// The program with each row on its own, where rows share tiles.
  mlir::OwningOpRef<mlir::ModuleOp> rows;
};

/// Runs once. `memory` and `seed` are those of Launcher::launch.
class Run {
public:
  Run(mlir::OwningOpRef<mlir::ModuleOp> module, Origin origin, ArgumentMemory memory, uint64_t seed,
      const MachineModel &machine, const Options &options)
      : module(std::move(module)), origin(std::move(origin)), memory(std::move(memory)), seed(seed),
        machine(machine), options(options), report(machine, options) {}

  mlir::FailureOr<LaunchReport> run();

private:
  /// The steps, in their order. Each fails with a diagnostic.
  mlir::LogicalResult take();
  mlir::LogicalResult interpretInPlace();
  mlir::LogicalResult checkState();
  mlir::LogicalResult plan();
  mlir::LogicalResult lower();
  mlir::LogicalResult write();
  mlir::LogicalResult fillMemory();
  mlir::LogicalResult findReferences();
  mlir::LogicalResult simulate();
  mlir::LogicalResult emit(bool hasRun);
  void check();

  /// The last state the command needs.
  State lastState() const {
    return options.command == Command::Compile ? options.to : State::Physical;
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  Origin origin;
  ArgumentMemory memory;
  uint64_t seed;
  const MachineModel &machine;
  const Options &options;

  Stopwatch watch;
  Progress progress;
  Report report;
  Programs programs;
  SeededMemory seeded;
  std::vector<std::byte *> pointers; ///< of the task program's arrays
  std::vector<std::vector<std::byte>> before; ///< their values, to be emitted
  std::vector<Reference> references; ///< to be checked
};

} // namespace drawloom

#endif // DRAWLOOM_LIB_DRIVER_RUN_H
