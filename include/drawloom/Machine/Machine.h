// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `df` dialect's C++ classes.
#ifndef DRAWLOOM_MACHINE_MACHINE_H
#define DRAWLOOM_MACHINE_MACHINE_H

#include "drawloom/Machine/Formats.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#include "drawloom/Machine/MachineDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "drawloom/Machine/MachineAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "drawloom/Machine/MachineTypes.h.inc"

namespace drawloom::df {
class CoreOp;
} // namespace drawloom::df

#define GET_OP_CLASSES
#include "drawloom/Machine/MachineOps.h.inc"

namespace drawloom::df {

/// Extents of a component (core, router, memory), in its operation's order.
llvm::SmallVector<int64_t> extentsOf(mlir::Value component);

/// Coordinates of instance `index`, the first dimension fastest, and back.
llvm::SmallVector<int64_t> delinearize(int64_t index,
                                       llvm::ArrayRef<int64_t> extents);
int64_t linearize(llvm::ArrayRef<int64_t> point,
                  llvm::ArrayRef<int64_t> extents);

/// `map` at `point`; fails where the map has no value (division by zero).
mlir::FailureOr<llvm::SmallVector<int64_t>>
evaluate(mlir::AffineMap map, llvm::ArrayRef<int64_t> point);

/// Whether `set` holds at `point`; false where it has no value.
bool contains(mlir::IntegerSet set, llvm::ArrayRef<int64_t> point);

/// The one axis along which a map moves, if there is just one.
std::optional<unsigned> movedAxis(mlir::AffineMap map);

} // namespace drawloom::df

#endif // DRAWLOOM_MACHINE_MACHINE_H
