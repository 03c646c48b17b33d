// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The syntax of a barrier.

#include "GpuDialect.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace drawloom::tt {

GpuDialect::GpuDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<GpuDialect>()) {
  allowUnknownOperations();
}

/// The memories it waits for, as words between bars.
static ParseResult parseBarrier(OpAsmParser &parser, OperationState &) {
  StringRef memory;
  do {
    if (parser.parseKeyword(&memory))
      return failure();
  } while (succeeded(parser.parseOptionalVerticalBar()));
  return success();
}

std::optional<Dialect::ParseOpHook>
GpuDialect::getParseOperationHook(StringRef operation) const {
  if (operation == kBarrier)
    return ParseOpHook(parseBarrier);
  return std::nullopt;
}

} // namespace drawloom::tt
