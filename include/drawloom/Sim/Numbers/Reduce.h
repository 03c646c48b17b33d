// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit's reductions of a tile to a column, a row or one element.

#ifndef DRAWLOOM_SIM_NUMBERS_REDUCE_H
#define DRAWLOOM_SIM_NUMBERS_REDUCE_H

#include "drawloom/Sim/Numbers/Pack.h"
#include "drawloom/Sim/Numbers/Registers.h"

namespace drawloom::sim {

enum class ReduceKind : uint8_t { Sum, Max };

/// Row reduces every row to column 0, Column every column to row 0, Scalar the
/// tile to element 0.
enum class ReduceDim : uint8_t { Row, Column, Scalar };

/// Reduces `data` into Dst and combines with what a previous call left there;
/// `first` starts afresh. Only the elements of the result (`reduceMask`) are
/// defined afterwards.
/// Sum multiplies by row 0 of each face of `scaler`, with the precision of a
/// matrix product: rows are a product with the transposed faces, columns pool
/// one face after another, a scalar pools four faces, narrows the sixteen sums
/// to `srcFormat` and pools them again, so that the scaler counts twice.
/// Max ignores `scaler`, which the hardware requires to be one, and orders by
/// sign and magnitude.
void reduceTile(ReduceKind kind, ReduceDim dim, DstTile &dst,
                const SrcTile &data, const SrcTile &scaler, SrcFormat srcFormat,
                Fidelity fidelity, DstWidth width, bool first,
                const NumberModel &model);

/// Where the result of a reduction is.
constexpr PackMask reduceMask(ReduceDim dim) {
  return dim == ReduceDim::Row      ? PackMask::Column0
         : dim == ReduceDim::Column ? PackMask::Row0
                                    : PackMask::Element0;
}

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_NUMBERS_REDUCE_H
