// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a simulation stopped: five categories, each a located diagnostic.
#ifndef DRAWLOOM_SIM_SIMERROR_H
#define DRAWLOOM_SIM_SIMERROR_H

#include "mlir/IR/Diagnostics.h"

namespace drawloom::sim {

/// Undefined: the program does what the hardware leaves open (a race, an
/// unwritten tile, a wrong set-up). Unmodelled: legal, but not simulated.
/// Deadlock: every engine left waits. Limit: the step limit was reached.
/// Config: the machine file lacks a number, or the program is for another one.
enum class SimErrorKind { Undefined, Unmodelled, Deadlock, Limit, Config };

llvm::StringRef stringify(SimErrorKind kind);

/// An error whose text starts with the category: "[deadlock] ...".
mlir::InFlightDiagnostic emitSimError(mlir::Location location,
                                      SimErrorKind kind);

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_SIMERROR_H
