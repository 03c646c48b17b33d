// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operand preparation, the scalar matrix product, and the choice of a form.

#include "drawloom/Sim/Numbers/Matmul.h"
#include "FpuAdder.h"
#include "MatmulAvx2.h"

#include <cstdlib>

using namespace drawloom;
using namespace drawloom::sim;

namespace {

constexpr int kGroup = 8;              // products aligned together
constexpr int kHalf = 2 * kGroup;      // products of one instruction
constexpr int32_t kNoExponent = -2000; // of a zero operand: below any sum

struct Split {
  int32_t exponent, sign, mantissa;
};

Split split(uint32_t bits) {
  int32_t exponent = (bits >> 23) & 255;
  if (!exponent)
    return {kNoExponent, 1, 0};
  return {exponent, int32_t(bits) < 0 ? -1 : 1,
          int32_t((bits >> 13) & 0x3FF) | 0x400};
}

uint32_t twice(uint32_t half) { return (half & 0xFFFF) * 0x10001u; }

FpuSum sumGroup(const PreparedIn0 &in0, const PreparedIn1 &in1, int row,
                int column, int k0, int phase) {
  int32_t exponents[kGroup], largest = kNoExponent * 2;
  for (int i = 0; i < kGroup; ++i) {
    exponents[i] =
        int16_t(in0.exponent[row][k0 + i]) + in1.exponent[k0 + i][column];
    largest = std::max(largest, exponents[i]);
  }
  int32_t units = 0;
  for (int i = 0; i < kGroup; ++i) {
    int32_t f0 = in0.factor[phase >> 1][row][k0 + i] & 0xFF;
    uint16_t f1 = in1.factor[phase & 1][k0 + i][column];
    int32_t distance = std::min(largest - exponents[i], 14);
    int32_t sign = int16_t(in0.sign[row][k0 + i]) * int8_t(f1 >> 8);
    int32_t product = f0 * std::abs(int8_t(f1 & 0xFF)) / 4;
    units += sign * ((2 * product + (1 << distance)) >> (distance + 1));
  }
  return {largest + productBias(phase), units};
}

template <DstWidth Width>
void productScalar(DstTile &dst, const PreparedIn0 &in0, const PreparedIn1 &in1,
                   int phases, bool misnormalisesMinusOne) {
  for (int phase = 0; phase < phases; ++phase)
    for (int k0 = 0; k0 < kTileSide; k0 += kHalf)
      for (int row = 0; row < kTileSide; ++row)
        for (int column = 0; column < kTileSide; ++column) {
          uint32_t &element = dst.bits[row * kTileSide + column];
          FpuSum a = sumGroup(in0, in1, row, column, k0, phase);
          FpuSum b = sumGroup(in0, in1, row, column, k0 + kGroup, phase);
          element = addToDst<Width>(a, b, element, misnormalisesMinusOne);
        }
}

} // namespace

void drawloom::sim::prepareIn0(const SrcTile &src, PreparedIn0 &prepared) {
  for (int row = 0; row < kTileSide; ++row)
    for (int k = 0; k < kTileSide; ++k) {
      Split s = split(src.bits[row * kTileSide + k]);
      prepared.exponent[row][k] = twice(uint32_t(s.exponent));
      prepared.sign[row][k] = twice(uint32_t(s.sign));
      prepared.factor[0][row][k] = twice(0x100u | uint32_t(s.mantissa >> 4));
      prepared.factor[1][row][k] =
          twice(0x100u | uint32_t((s.mantissa & 15) << 3));
    }
}

void drawloom::sim::prepareIn1(const SrcTile &src, PreparedIn1 &prepared) {
  auto pack = [](int32_t sign, int32_t factor) {
    return uint16_t((uint32_t(sign) & 0xFF) << 8 |
                    (uint32_t(sign * 4 * factor) & 0xFF));
  };
  for (int k = 0; k < kTileSide; ++k)
    for (int column = 0; column < kTileSide; ++column) {
      Split s = split(src.bits[k * kTileSide + column]);
      prepared.exponent[k][column] = int16_t(s.exponent);
      prepared.factor[0][k][column] = pack(s.sign, s.mantissa >> 6);
      prepared.factor[1][k][column] = pack(s.sign, (s.mantissa >> 1) & 31);
    }
}

void drawloom::sim::multiplyAccumulateScalar(DstTile &dst,
                                             const PreparedIn0 &in0,
                                             const PreparedIn1 &in1,
                                             Fidelity fidelity, DstWidth width,
                                             const NumberModel &model) {
  int passes = phases(fidelity);
  if (width == DstWidth::Bits16)
    productScalar<DstWidth::Bits16>(dst, in0, in1, passes, false);
  else
    productScalar<DstWidth::Bits32>(dst, in0, in1, passes,
                                    model.misnormalisesMinusOne);
}

void drawloom::sim::multiplyAccumulate(DstTile &dst, const PreparedIn0 &in0,
                                       const PreparedIn1 &in1,
                                       Fidelity fidelity, DstWidth width,
                                       const NumberModel &model) {
  static const bool avx2 = hasAvx2();
  if (avx2)
    multiplyAccumulateAvx2(dst, in0, in1, fidelity, width, model);
  else
    multiplyAccumulateScalar(dst, in0, in1, fidelity, width, model);
}
