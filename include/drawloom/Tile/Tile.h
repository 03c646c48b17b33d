// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tile` dialect: what a kernel computes and, once mapped, where and when.

#ifndef DRAWLOOM_TILE_TILE_H
#define DRAWLOOM_TILE_TILE_H

#include "drawloom/Machine/Formats.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpAsmSupport.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "drawloom/Tile/TileDialect.h.inc"
#include "drawloom/Tile/TileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "drawloom/Tile/TileAttrs.h.inc"
#define GET_OP_CLASSES
#include "drawloom/Tile/TileOps.h.inc"

namespace drawloom::tile {

/// Name of the attribute on an `scf.for` (mapped state) that takes `n`
/// iterations of a reduction loop per delivery: `tile.chunk = 4 : i64`.
inline constexpr llvm::StringLiteral kChunkAttr = "tile.chunk";

/// The memory format of an element type, if memory holds it.
std::optional<Format> formatOf(mlir::Type element);

/// Iterations per delivery of `loop`; 1 when the plan says nothing.
int64_t chunkOf(mlir::Operation *loop);

/// Whether the policy of the program around `op` takes f32 operands of the
/// matrix unit whole.
bool takesExactOperands(mlir::Operation *op);

/// Whether a function may be approximate: its flags hold `afn`.
bool isApproximate(mlir::Operation *op);

} // namespace drawloom::tile

#endif // DRAWLOOM_TILE_TILE_H
