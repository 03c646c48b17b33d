// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instruction modifiers of Tenstorrent's sfpi.h, by which raw SFPU code is
// written; not its vector types, which need a compiler extension.
#pragma once

namespace sfpi {
enum : unsigned {
  SFPLOADI_MOD0_FLOATB = 0,
  SFPLOADI_MOD0_FLOATA = 1,
  SFPLOADI_MOD0_USHORT = 2,
  SFPLOADI_MOD0_SHORT = 4,
  SFPLOADI_MOD0_UPPER = 8,
  SFPLOADI_MOD0_LOWER = 10,

  SFPLOAD_MOD0_FMT_SRCB = 0,
  SFPLOAD_MOD0_FMT_FP16B = 2,
  SFPSTORE_MOD0_FMT_SRCB = 0,
  SFPSTORE_MOD0_FMT_FP16B = 2,
  SFPSTORE_MOD0_FMT_LO16 = 9,

  SFPSETCC_MOD1_LREG_LT0 = 0,
  SFPSETCC_MOD1_LREG_NE0 = 2,
  SFPSETCC_MOD1_LREG_GTE0 = 4,
  SFPSETCC_MOD1_LREG_EQ0 = 6,

  SFPENCC_IMM12_BOTH = 3,
  SFPENCC_MOD1_EU_R1 = 0,
  SFPENCC_MOD1_EI_RI = 10,

  SFPSWAP_MOD1_SWAP = 0,
  SFPSWAP_MOD1_VEC_MIN_MAX = 1,

  SFPIADD_MOD1_ARG_LREG_DST = 0,
  SFPIADD_MOD1_ARG_IMM = 1,
  SFPIADD_MOD1_ARG_2SCOMP_LREG_DST = 2,
  SFPIADD_MOD1_CC_LT0 = 0,
  SFPIADD_MOD1_CC_NONE = 4,
  SFPIADD_MOD1_CC_GTE0 = 8,

  SFPSTOCHRND_RND_EVEN = 0,
  SFPSTOCHRND_MOD1_FP32_TO_FP16A = 0,
  SFPSTOCHRND_MOD1_FP32_TO_FP16B = 1,

  SFPMAD_MOD1_OFFSET_NONE = 0,
  SFPSHFT_MOD1_ARG_IMM = 1,
  SFPSETSGN_MOD1_ARG_IMM = 1,
  SFPMOV_MOD1_NEGATE = 1,
  SFPABS_MOD1_INT = 0,
  SFPSHFT2_MOD1_SUBVEC_SHFLROR1 = 3,
};

/// Constants that the vendor's code sets in branches not taken here.
inline float vConstFloatPrgm0;
inline int vConstIntPrgm0;
} // namespace sfpi
