// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of the numbers that df operations state.
#ifndef DRAWLOOM_LIB_MACHINE_CLAUSES_H
#define DRAWLOOM_LIB_MACHINE_CLAUSES_H

#include "drawloom/Machine/Machine.h"

namespace drawloom::df {

/// Most instances of one component: bounds the tables built from a machine.
constexpr int64_t kMaxInstances = 1 << 16;

/// A rate or a time: finite, and positive or with `zeroAllowed` not negative.
/// `meaning`, with its unit, is what is said where it is missing. All refuse at
/// `op`.
mlir::LogicalResult number(mlir::Operation *op, llvm::StringRef name,
                           llvm::StringRef meaning,
                           std::optional<llvm::APFloat> value,
                           bool zeroAllowed = false);
mlir::LogicalResult optionalNumber(mlir::Operation *op, llvm::StringRef name,
                                   std::optional<llvm::APFloat> value,
                                   bool zeroAllowed);

/// A count, or a number of bytes.
mlir::LogicalResult size(mlir::Operation *op, llvm::StringRef name,
                         llvm::StringRef meaning, std::optional<int64_t> value);
mlir::LogicalResult optionalSize(mlir::Operation *op, llvm::StringRef name,
                                 std::optional<int64_t> value,
                                 int64_t least = 1);

} // namespace drawloom::df

#endif // DRAWLOOM_LIB_MACHINE_CLAUSES_H
