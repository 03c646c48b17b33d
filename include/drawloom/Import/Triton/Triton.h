// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tt` dialect: Triton's operations, to be read only.

#ifndef DRAWLOOM_IMPORT_TRITON_TRITON_H
#define DRAWLOOM_IMPORT_TRITON_TRITON_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include "drawloom/Import/Triton/TritonDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "drawloom/Import/Triton/TritonTypes.h.inc"
#define GET_OP_CLASSES
#include "drawloom/Import/Triton/TritonOps.h.inc"

#endif // DRAWLOOM_IMPORT_TRITON_TRITON_H
