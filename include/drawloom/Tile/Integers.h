// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What integer and index operations give: the one definition, for programs that
// are interpreted, planned and verified alike.
//
// An integer of a tile, like an index, is held in 64 bits with its sign; an i1
// as 0 or 1.
#ifndef DRAWLOOM_TILE_INTEGERS_H
#define DRAWLOOM_TILE_INTEGERS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/FunctionExtras.h"
#include <optional>

namespace drawloom::tile {

/// What an operation of arith gives for two operands; a unary one ignores the
/// second. Nothing where the operation has no value, as a division by zero, an
/// overflowing one or a shift by its width or more has none.
using IntegerRule =
    llvm::unique_function<std::optional<int64_t>(int64_t, int64_t) const>;

/// The rule of `op`, whose results are still to be `wrapped`; empty unless `op`
/// is an operation of arith with one or two operands, all integers.
IntegerRule integerRule(mlir::Operation *op);

/// The low bits of `value` that an integer (or index) of type `element` has.
int64_t wrapped(int64_t value, mlir::Type element);

/// The same bits read without a sign.
uint64_t unsignedOf(int64_t value, mlir::Type element);

/// The value of an affine operation, or of `expr` at a point. Quotients and
/// remainders by zero are 0.
int64_t evaluate(mlir::AffineExprKind kind, int64_t lhs, int64_t rhs);
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims,
                 llvm::ArrayRef<int64_t> symbols = {});

/// The constant that defines `value`; nothing when something else does.
std::optional<int64_t> constantOf(mlir::Value value);

/// What `op` gives for scalar operands: one with an integerRule, arith.select,
/// affine.apply, affine.min or affine.max. Nothing when it is another, or has
/// no value.
std::optional<int64_t> evaluate(mlir::Operation *op,
                                llvm::ArrayRef<int64_t> operands);

} // namespace drawloom::tile

#endif // DRAWLOOM_TILE_INTEGERS_H
