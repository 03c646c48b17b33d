// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of Triton's `ttg` dialect what tl.debug_barrier leaves in TTIR: a barrier.

#ifndef DRAWLOOM_LIB_IMPORT_TRITON_GPUDIALECT_H
#define DRAWLOOM_LIB_IMPORT_TRITON_GPUDIALECT_H

#include "mlir/IR/Dialect.h"

namespace drawloom::tt {

/// Reads `ttg.barrier local|all ...` as an operation of that name without
/// operands; every other operation of the dialect is an error of the parser.
class GpuDialect : public mlir::Dialect {
public:
  explicit GpuDialect(mlir::MLIRContext *context);
  static constexpr llvm::StringLiteral getDialectNamespace() { return "ttg"; }
  std::optional<ParseOpHook>
  getParseOperationHook(llvm::StringRef operation) const override;
};

inline constexpr llvm::StringLiteral kBarrier = "ttg.barrier";

} // namespace drawloom::tt

#endif // DRAWLOOM_LIB_IMPORT_TRITON_GPUDIALECT_H
