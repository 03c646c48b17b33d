// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a physical task program on a machine model: values and cycles.
#ifndef DRAWLOOM_SIM_SIMULATOR_H
#define DRAWLOOM_SIM_SIMULATOR_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Sim/SimResult.h"
#include "drawloom/Task/Task.h"
#include <cstddef>

namespace drawloom::sim {

struct SimOptions {
  /// Whether results are wanted. Without them no bytes are moved or computed on,
  /// the cycles are the same and all synchronisation is still checked. Where data
  /// decides what the program does, that takes the bytes of `arguments`, if given.
  bool values = true;
  /// Whether values carry the faults of the silicon that the machine states.
  /// Off, a result is what the arithmetic means to give.
  bool errata = false;
  /// Instructions of all engines together before the simulation gives up.
  int64_t maxSteps = 100'000'000'000;
};

/// Executes `program` on `model`. `arguments` has one pointer for each
/// `task.array` in order: the caller's argument pointer, to which the memref's
/// offset is added; element (i, j, ...) lies `offset + i * stride0 + ...`
/// elements further. Arrays that the program writes (`out`, `inout`) are
/// uploaded first, so that elements it leaves alone survive, and only elements
/// of the array are written back. Runs without values write nothing back.
///
/// Fails with diagnostics of the categories in SimError.h, at the operation
/// concerned and with the cores that ran it.
mlir::FailureOr<SimResult> simulate(task::ProgramOp program,
                                    const MachineModel &model,
                                    llvm::ArrayRef<std::byte *> arguments,
                                    const SimOptions &options = {});

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_SIMULATOR_H
