// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and comparisons of the vendor's header of this name: two tiles of Dst.
#pragma once
#include "api/compute/common_globals.h"
#include "math/binary.h"
#include "math/comparison.h"

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

// 1.0 or 0.0.

ALWI void eq_binary_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void eq_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(sfpu_math::compareFaces<sfpu_math::Relation::Equal>, left, right,
                           result)));
}
ALWI void ne_binary_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void ne_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(sfpu_math::compareFaces<sfpu_math::Relation::NotEqual>, left, right,
                           result)));
}
ALWI void lt_binary_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void lt_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(sfpu_math::compareFaces<sfpu_math::Relation::Less>, left, right,
                           result)));
}
ALWI void le_binary_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void le_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(sfpu_math::compareFaces<sfpu_math::Relation::LessOrEqual>, left, right,
                           result)));
}
ALWI void gt_binary_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void gt_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(sfpu_math::compareFaces<sfpu_math::Relation::Greater>, left, right,
                           result)));
}
ALWI void ge_binary_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void ge_binary_tile(uint32_t left, uint32_t right, uint32_t result) {
  MATH((sfpu_math::onTiles(sfpu_math::compareFaces<sfpu_math::Relation::GreaterOrEqual>, left, right,
                           result)));
}

} // namespace ckernel
