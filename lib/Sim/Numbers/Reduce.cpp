// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, in the order in which the matrix unit is driven to do them.

#include "drawloom/Sim/Numbers/Reduce.h"
#include "FpuAdder.h"
#include "drawloom/Sim/Numbers/Matmul.h"

#include <algorithm>

using namespace drawloom;
using namespace drawloom::sim;

namespace {

constexpr int kGroup = 8;
constexpr uint32_t kLowest =
    0xFFFFFFFF; // first in the order of signs and magnitudes

struct Pooling {
  Fidelity fidelity;
  DstWidth width;
  bool misnormalisesMinusOne;
};

/// Sums of eight products for each of sixteen columns.
DRAWLOOM_INLINE void sumGroup(const uint32_t *scaler, const uint32_t *face,
                              int k0, int phase, FpuSum *sums) {
  FpuSum products[kGroup][kFaceSide];
  int32_t largest[kFaceSide] = {};
  for (int k = 0; k < kGroup; ++k)
    for (int c = 0; c < kFaceSide; ++c) {
      FpuSum p =
          productOf(scaler[k0 + k], face[(k0 + k) * kTileSide + c], phase);
      products[k][c] = p;
      largest[c] = std::max(largest[c], p.exponent);
    }
  for (int c = 0; c < kFaceSide; ++c)
    sums[c] = {largest[c], 0};
  for (int k = 0; k < kGroup; ++k)
    for (int c = 0; c < kFaceSide; ++c) {
      FpuSum p = products[k][c];
      int32_t distance = std::min(largest[c] - p.exponent, 30);
      int32_t magnitude = p.units < 0 ? -p.units : p.units;
      magnitude = (2 * magnitude + (1 << distance)) >> (distance + 1);
      sums[c].units += p.units < 0 ? -magnitude : magnitude;
    }
}

/// row[c] += sum over k of scaler[k] * face[k][c], one phase after another.
DRAWLOOM_VECTOR_CLONES void poolFace(uint32_t *row, const uint32_t *scaler,
                                     const uint32_t *face, Pooling pooling) {
  for (int phase = 0; phase < phases(pooling.fidelity); ++phase) {
    FpuSum a[kFaceSide], b[kFaceSide];
    sumGroup(scaler, face, 0, phase, a);
    sumGroup(scaler, face, kGroup, phase, b);
    for (int c = 0; c < kFaceSide; ++c)
      row[c] = pooling.width == DstWidth::Bits16
                   ? addToDst<DstWidth::Bits16>(a[c], b[c], row[c], false)
                   : addToDst<DstWidth::Bits32>(a[c], b[c], row[c],
                                                pooling.misnormalisesMinusOne);
  }
}

int faceOffset(int face) {
  return face / 2 * kFaceSide * kTileSide + face % 2 * kFaceSide;
}

/// What a source register holds of a value of Dst.
uint32_t throughSrc(uint32_t bits, SrcFormat format) {
  bits &= format == SrcFormat::Tf32 ? 0xFFFFE000 : 0xFFFF0000;
  return (bits & 0x7F800000) ? bits : 0;
}

void sumRows(DstTile &dst, const SrcTile &data, const SrcTile &scaler,
             const Pooling &pooling, const NumberModel &model) {
  SrcTile column; // faces of the scaler are transposed on their way
  for (int k = 0; k < kTileSide; ++k)
    column.bits[k * kTileSide] = scaler.bits[k];
  PreparedIn0 in0;
  PreparedIn1 in1;
  prepareIn0(data, in0);
  prepareIn1(column, in1);
  multiplyAccumulate(dst, in0, in1, pooling.fidelity, pooling.width, model);
}

void sumColumns(DstTile &dst, const SrcTile &data, const SrcTile &scaler,
                const Pooling &pooling) {
  for (int face = 0; face < 4; ++face)
    poolFace(dst.bits + face % 2 * kFaceSide, scaler.bits + faceOffset(face),
             data.bits + faceOffset(face), pooling);
}

void sumAll(DstTile &dst, const SrcTile &data, const SrcTile &scaler,
            SrcFormat srcFormat, const Pooling &pooling) {
  uint32_t sums[kFaceSide] = {};
  for (int face = 0; face < 4; ++face)
    poolFace(sums, scaler.bits + faceOffset(face), data.bits + faceOffset(face),
             pooling);
  uint32_t column[kFaceSide * kTileSide] = {}; // a face whose column 0 is sums
  for (int k = 0; k < kFaceSide; ++k)
    column[k * kTileSide] = throughSrc(sums[k], srcFormat);
  uint32_t result[kFaceSide] = {dst.bits[0]};
  poolFace(result, scaler.bits + faceOffset(3), column, pooling);
  dst.bits[0] = result[0];
}

/// Order by sign and magnitude.
int32_t ordered(uint32_t bits) {
  return int32_t((bits >> 31) ? bits ^ 0x7FFFFFFF : bits);
}

uint32_t larger(uint32_t a, uint32_t b) {
  return ordered(b) > ordered(a) ? b : a;
}

/// The row maximum returns to Dst through the adder: NaN becomes infinity.
uint32_t throughAdder(uint32_t bits) {
  if (!(bits & 0x7F800000))
    return 0;
  bool isNan = (bits & 0x7FFFFFFF) > 0x7F800000;
  return isNan ? (bits & 0x80000000) | 0x7F800000 : bits;
}

/// The running maxima of sixteen rows stand in the first row of their faces,
/// the result in column 0.
void maxRows(DstTile &dst, const SrcTile &data, bool first) {
  for (int row = 0; row < kTileSide; ++row) {
    int top = row / kFaceSide * kFaceSide * kTileSide;
    uint32_t &running = dst.bits[top + row % kFaceSide];
    uint32_t result = first ? kLowest : running;
    for (int column = 0; column < kTileSide; ++column)
      result = larger(result, data.bits[row * kTileSide + column]);
    running = throughAdder(result);
  }
  for (int row = 0; row < kTileSide; ++row)
    if (row % kFaceSide)
      dst.bits[row * kTileSide] =
          dst.bits[row / kFaceSide * kFaceSide * kTileSide + row % kFaceSide];
}

void maxColumns(DstTile &dst, const SrcTile &data, bool first) {
  for (int column = 0; column < kTileSide; ++column) {
    uint32_t result = first ? kLowest : dst.bits[column];
    for (int row = 0; row < kTileSide; ++row)
      result = larger(result, data.bits[row * kTileSide + column]);
    dst.bits[column] = result;
  }
}

void maxAll(DstTile &dst, const SrcTile &data, bool first) {
  uint32_t result = first ? kLowest : dst.bits[0];
  for (uint32_t bits : data.bits)
    result = larger(result, bits);
  dst.bits[0] = result;
}

} // namespace

void drawloom::sim::reduceTile(ReduceKind kind, ReduceDim dim, DstTile &dst,
                               const SrcTile &data, const SrcTile &scaler,
                               SrcFormat srcFormat, Fidelity fidelity,
                               DstWidth width, bool first,
                               const NumberModel &model) {
  if (kind == ReduceKind::Max) {
    if (dim == ReduceDim::Row)
      maxRows(dst, data, first);
    else if (dim == ReduceDim::Column)
      maxColumns(dst, data, first);
    else
      maxAll(dst, data, first);
    return;
  }
  if (first)
    dst = DstTile();
  Pooling pooling = {fidelity, width, model.misnormalisesMinusOne};
  if (dim == ReduceDim::Row)
    sumRows(dst, data, scaler, pooling, model);
  else if (dim == ReduceDim::Column)
    sumColumns(dst, data, scaler, pooling);
  else
    sumAll(dst, data, scaler, srcFormat, pooling);
}
