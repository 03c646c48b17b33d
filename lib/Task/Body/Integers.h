// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says what no unit does with integers in terms of what the units do.
//
// The matrix unit computes on floats of 11 bits, exactly while sums stay below
// 2^24; the vector unit adds, multiplies and compares integers of 32 bits.

#ifndef DRAWLOOM_LIB_TASK_BODY_INTEGERS_H
#define DRAWLOOM_LIB_TASK_BODY_INTEGERS_H

#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace drawloom::task {

/// Numbers of lanes by quotients and remainders of what is no power of two
/// become arithmetic on evenly numbered lanes.
void splitNumbers(tile::IndexOp op);

/// Bounds of masks by such numbers become comparisons of every lane.
void splitBounds(tile::MaskOp op);

/// Signed quotients and remainders (rounding to zero) of int32 lanes: a quotient
/// of floats, corrected twice by what remains. Exact.
void splitDivision(mlir::arith::DivSIOp op);
void splitDivision(mlir::arith::RemSIOp op);

/// A sum scan of int32: of each byte of its own, in the matrix unit. Exact
/// modulo 2^32; does nothing where sums of bytes could reach 2^24.
void splitIntegerScan(tile::ScanOp scan);

/// A product of int8 into int32: two of floats, added in the vector unit. Does
/// nothing where their sums could reach 2^24.
void splitIntegerProduct(mlir::linalg::MatmulOp product);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_INTEGERS_H
