// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of the vendor's header of this name: two tiles of Dst.
#pragma once
#include "api/compute/common_globals.h"
#include "math/binary.h"

namespace ckernel {

ALWI void add_binary_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void sub_binary_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void rsub_binary_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void mul_binary_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void div_binary_tile_init() { MATH((sfpu_math::prepare())); }

template <bool fp32 = DST_ACCUM_MODE>
ALWI void add_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(
      sfpu_math::binaryFace<fp32, sfpu_math::Operation::Add>, left, right, result)));
}
template <bool fp32 = DST_ACCUM_MODE>
ALWI void sub_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(
      sfpu_math::binaryFace<fp32, sfpu_math::Operation::Subtract>, left, right, result)));
}
/// right - left.
template <bool fp32 = DST_ACCUM_MODE>
ALWI void rsub_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(
      sfpu_math::binaryFace<fp32, sfpu_math::Operation::SubtractReversed>, left, right,
      result)));
}
template <bool fp32 = DST_ACCUM_MODE>
ALWI void mul_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(
      sfpu_math::binaryFace<fp32, sfpu_math::Operation::Multiply>, left, right, result)));
}
template <bool fp32 = DST_ACCUM_MODE>
ALWI void div_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(sfpu_math::divideFace<fp32>, left, right, result)));
}

} // namespace ckernel
