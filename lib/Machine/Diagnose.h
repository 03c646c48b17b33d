// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the machine room: the rule at the place, a note with what to do.
#ifndef DRAWLOOM_LIB_MACHINE_DIAGNOSE_H
#define DRAWLOOM_LIB_MACHINE_DIAGNOSE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace drawloom::df {

inline mlir::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &rule,
                                  const llvm::Twine &remedy) {
  mlir::InFlightDiagnostic error = op->emitOpError() << rule;
  error.attachNote(op->getLoc()) << remedy;
  return error;
}

/// "(7, 0)".
inline std::string pointText(llvm::ArrayRef<int64_t> point) {
  std::string text = "(";
  for (auto [axis, value] : llvm::enumerate(point))
    text += (axis ? ", " : "") + std::to_string(value);
  return text + ")";
}

/// "8x8".
inline std::string extentText(llvm::ArrayRef<int64_t> extents) {
  std::string text;
  for (auto [axis, value] : llvm::enumerate(extents))
    text += (axis ? "x" : "") + std::to_string(value);
  return text;
}

} // namespace drawloom::df

#endif // DRAWLOOM_LIB_MACHINE_DIAGNOSE_H
