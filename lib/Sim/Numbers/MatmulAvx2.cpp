// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix product on sixteen columns at a time in 16-bit lanes.
//
// A product has 12 bits, so aligning it to the largest exponent of its group is
// one rounding multiplication by a power of two. vpmulhrsw rounds halves up,
// but the hardware rounds magnitudes: products are therefore formed as 4ab + 1
// (vpmaddubsw adds the 1 for nothing), whose sign can be flipped before the
// rounding because no half is left. Shifts are found once for all phases.

#include "MatmulAvx2.h"
#include "FpuAdder.h"

#if defined(__x86_64__)
#include <immintrin.h>

using namespace drawloom;
using namespace drawloom::sim;

#define AVX2 static inline __attribute__((target("avx2"), always_inline))

namespace {

using V = __m256i;

/// Sums of one half of K in one phase: units and exponents in 16-bit lanes.
struct Sums {
  V units[2], exponents[2];
};

/// Scale factors that align the 32 products of sixteen elements, with the sign
/// of in0, and the largest exponent of each group of eight.
struct Alignment {
  V scale[kTileSide];
  V largest[kTileSide / 8];
};

AVX2 V load(const void *p) { return _mm256_load_si256((const V *)p); }
AVX2 V all(uint32_t bits) { return _mm256_set1_epi32(int(bits)); }

/// 2^(13 - distance) for a distance of 0 to 13, else 0, from two byte tables.
AVX2 V alignmentScale(V distance) {
  const V low = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 0, 0, 0, 0, 0, char(128), 64, 32, 16, 8, 4, 2, 1, 0, 0));
  const V high = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  const V noLowByte = _mm256_set1_epi16(0x80); // an index that selects zero
  const V noHighByte = _mm256_set1_epi16(short(0x8000));
  V lowByte = _mm256_shuffle_epi8(low, _mm256_or_si256(distance, noHighByte));
  V highByte = _mm256_shuffle_epi8(
      high, _mm256_or_si256(_mm256_slli_epi16(distance, 8), noLowByte));
  return _mm256_or_si256(lowByte, highByte);
}

AVX2 void align(Alignment &a, const PreparedIn0 &in0, const PreparedIn1 &in1,
                int row, int column) {
  const V cap = _mm256_set1_epi16(15);
  for (int group = 0; group < kTileSide / 8; ++group) {
    V exponent[8], largest = _mm256_set1_epi16(-4000);
    for (int i = 0; i < 8; ++i) {
      int k = 8 * group + i;
      exponent[i] = _mm256_add_epi16(all(in0.exponent[row][k]),
                                     load(&in1.exponent[k][column]));
      largest = _mm256_max_epi16(largest, exponent[i]);
    }
    for (int i = 0; i < 8; ++i) {
      int k = 8 * group + i;
      V distance =
          _mm256_min_epi16(_mm256_sub_epi16(largest, exponent[i]), cap);
      a.scale[k] =
          _mm256_sign_epi16(alignmentScale(distance), all(in0.sign[row][k]));
    }
    a.largest[group] = largest;
  }
}

AVX2 Sums sumProducts(const Alignment &a, const PreparedIn0 &in0,
                      const PreparedIn1 &in1, int row, int column, int half,
                      int phase) {
  const V zero = _mm256_setzero_si256();
  const V bias = _mm256_set1_epi16(short(productBias(phase)));
  const auto &factor0 = in0.factor[phase >> 1][row];
  const auto &factor1 = in1.factor[phase & 1];
  Sums sums;
  for (int g = 0; g < 2; ++g) {
    int group = 2 * half + g;
    V units = zero;
    for (int k = 8 * group; k < 8 * group + 8; ++k) {
      V product =
          _mm256_maddubs_epi16(all(factor0[k]), load(&factor1[k][column]));
      units = _mm256_add_epi16(units, _mm256_mulhrs_epi16(product, a.scale[k]));
    }
    V exponent = _mm256_add_epi16(a.largest[group], bias);
    V positive = _mm256_cmpgt_epi16(exponent, zero);
    sums.units[g] = _mm256_and_si256(units, positive);
    sums.exponents[g] = _mm256_and_si256(exponent, positive);
  }
  return sums;
}

/// (magnitude + half) >> distance; `negative` is -1 or 0 per lane.
AVX2 V alignTerms(V magnitude, V negative, V distance) {
  V power = _mm256_sllv_epi32(_mm256_set1_epi32(1), distance);
  V half = _mm256_srli_epi32(_mm256_add_epi32(power, negative), 1);
  return _mm256_srlv_epi32(_mm256_add_epi32(magnitude, half), distance);
}

template <DstWidth Width>
AVX2 V roundTerms(V magnitude, V negative, V distance) {
  V aligned = alignTerms(magnitude, negative, distance);
  if constexpr (Width == DstWidth::Bits16) {
    aligned = _mm256_add_epi32(aligned, _mm256_set1_epi32(1 << 12));
    aligned = _mm256_and_si256(_mm256_add_epi32(aligned, negative),
                               _mm256_set1_epi32(~0x1FFF));
  }
  return aligned;
}

/// The signed, aligned term of sums that stand in the upper halves of lanes.
template <DstWidth Width> AVX2 V sumTerms(V shifted, V exponent, V largest) {
  V magnitude = _mm256_srli_epi32(_mm256_abs_epi32(shifted), 16 - kGuardBits);
  V term = roundTerms<Width>(magnitude, _mm256_srai_epi32(shifted, 31),
                             _mm256_sub_epi32(largest, exponent));
  return _mm256_sign_epi32(term, shifted);
}

/// encodeSum on eight lanes.
template <DstWidth Width, bool MisnormalisesMinusOne>
AVX2 V encodeSums(V exponent, V total) {
  V magnitude = _mm256_abs_epi32(total);
  V bits, bias;
  if constexpr (Width == DstWidth::Bits32) {
    V tie = _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32((1 << 24) - 1));
    V widened = _mm256_sub_epi32(_mm256_add_epi32(magnitude, magnitude), tie);
    bits = _mm256_castps_si256(_mm256_cvtepi32_ps(widened));
    bias = _mm256_set1_epi32(127 + 24);
    if constexpr (MisnormalisesMinusOne)
      bits =
          _mm256_blendv_epi8(bits, _mm256_set1_epi32((127 + 24 + 4) << 23),
                             _mm256_cmpeq_epi32(total, _mm256_set1_epi32(-1)));
  } else {
    bits = _mm256_castps_si256(_mm256_cvtepi32_ps(magnitude));
    bits = _mm256_and_si256(_mm256_add_epi32(bits, _mm256_set1_epi32(0x8000)),
                            _mm256_set1_epi32(~0xFFFF));
    bias = _mm256_set1_epi32(127 + 23);
  }
  V offset = _mm256_sub_epi32(exponent, bias);
  V result = _mm256_add_epi32(offset, _mm256_srli_epi32(bits, 23));
  V value = _mm256_add_epi32(bits, _mm256_slli_epi32(offset, 23));
  value =
      _mm256_blendv_epi8(value, _mm256_set1_epi32(0x7F800000),
                         _mm256_cmpgt_epi32(result, _mm256_set1_epi32(254)));
  V zero = _mm256_setzero_si256();
  V nonzero = _mm256_andnot_si256(_mm256_cmpeq_epi32(total, zero),
                                  _mm256_cmpgt_epi32(result, zero));
  V sign = _mm256_and_si256(total, _mm256_set1_epi32(int(0x80000000u)));
  return _mm256_and_si256(_mm256_or_si256(value, sign), nonzero);
}

/// addToDst on eight lanes.
template <DstWidth Width, bool MisnormalisesMinusOne>
AVX2 V addSums(V units0, V exponent0, V units1, V exponent1, V dst) {
  const V zero = _mm256_setzero_si256();
  V exponent = _mm256_and_si256(_mm256_srli_epi32(dst, 23), all(255));
  V magnitude =
      _mm256_or_si256(_mm256_and_si256(dst, all(0x7FFFFF)), all(0x800000));
  magnitude =
      _mm256_andnot_si256(_mm256_cmpeq_epi32(exponent, zero), magnitude);
  V largest =
      _mm256_max_epi32(_mm256_max_epi32(exponent0, exponent1), exponent);
  V term =
      roundTerms<Width>(magnitude, zero, _mm256_sub_epi32(largest, exponent));
  V total = _mm256_sign_epi32(term, dst);
  total = _mm256_add_epi32(total, sumTerms<Width>(units0, exponent0, largest));
  total = _mm256_add_epi32(total, sumTerms<Width>(units1, exponent1, largest));
  return encodeSums<Width, MisnormalisesMinusOne>(largest, total);
}

template <DstWidth Width, bool MisnormalisesMinusOne>
__attribute__((target("avx2"))) void
product(DstTile &dst, const PreparedIn0 &in0, const PreparedIn1 &in1,
        int phases) {
  const V zero = _mm256_setzero_si256();
  for (int row = 0; row < kTileSide; ++row)
    for (int column = 0; column < kTileSide; column += 16) {
      Alignment a;
      align(a, in0, in1, row, column);
      // Columns 0-3, 8-11 and 4-7, 12-15: the order in which unpacking widens.
      V *out = (V *)&dst.bits[row * kTileSide + column];
      V low = _mm256_permute2x128_si256(out[0], out[1], 0x20);
      V high = _mm256_permute2x128_si256(out[0], out[1], 0x31);
      for (int phase = 0; phase < phases; ++phase)
        for (int half = 0; half < 2; ++half) {
          Sums s = sumProducts(a, in0, in1, row, column, half, phase);
          low = addSums<Width, MisnormalisesMinusOne>(
              _mm256_unpacklo_epi16(zero, s.units[0]),
              _mm256_unpacklo_epi16(s.exponents[0], zero),
              _mm256_unpacklo_epi16(zero, s.units[1]),
              _mm256_unpacklo_epi16(s.exponents[1], zero), low);
          high = addSums<Width, MisnormalisesMinusOne>(
              _mm256_unpackhi_epi16(zero, s.units[0]),
              _mm256_unpackhi_epi16(s.exponents[0], zero),
              _mm256_unpackhi_epi16(zero, s.units[1]),
              _mm256_unpackhi_epi16(s.exponents[1], zero), high);
        }
      out[0] = _mm256_permute2x128_si256(low, high, 0x20);
      out[1] = _mm256_permute2x128_si256(low, high, 0x31);
    }
}

} // namespace

bool drawloom::sim::hasAvx2() { return __builtin_cpu_supports("avx2"); }

void drawloom::sim::multiplyAccumulateAvx2(DstTile &dst, const PreparedIn0 &in0,
                                           const PreparedIn1 &in1,
                                           Fidelity fidelity, DstWidth width,
                                           const NumberModel &model) {
  int passes = phases(fidelity);
  if (width == DstWidth::Bits16)
    product<DstWidth::Bits16, false>(dst, in0, in1, passes);
  else if (model.misnormalisesMinusOne)
    product<DstWidth::Bits32, true>(dst, in0, in1, passes);
  else
    product<DstWidth::Bits32, false>(dst, in0, in1, passes);
}

#else // no AVX2 on this architecture

bool drawloom::sim::hasAvx2() { return false; }

void drawloom::sim::multiplyAccumulateAvx2(DstTile &dst, const PreparedIn0 &in0,
                                           const PreparedIn1 &in1,
                                           Fidelity fidelity, DstWidth width,
                                           const NumberModel &model) {
  multiplyAccumulateScalar(dst, in0, in1, fidelity, width, model);
}

#endif
