// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the error categories.
#include "drawloom/Sim/SimError.h"

using namespace mlir;

namespace drawloom::sim {

StringRef stringify(SimErrorKind kind) {
  switch (kind) {
  case SimErrorKind::Undefined:
    return "undefined";
  case SimErrorKind::Unmodelled:
    return "unmodelled";
  case SimErrorKind::Deadlock:
    return "deadlock";
  case SimErrorKind::Limit:
    return "limit";
  case SimErrorKind::Config:
    return "config";
  }
  llvm_unreachable("category");
}

InFlightDiagnostic emitSimError(Location location, SimErrorKind kind) {
  return emitError(location) << "[" << stringify(kind) << "] ";
}

} // namespace drawloom::sim
