// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons with a number, given by its bits, of the vendor's header of this name.
#pragma once
#include "api/compute/common_globals.h"
#include "math/comparison.h"

namespace ckernel {

ALWI void unary_eq_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void unary_eq_tile(uint32_t dst, uint32_t number) {
  MATH((sfpu_math::onTile(sfpu_math::compareFace<sfpu_math::Relation::Equal>, dst,
                          VectorMode::RC, number)));
}
ALWI void unary_ne_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void unary_ne_tile(uint32_t dst, uint32_t number) {
  MATH((sfpu_math::onTile(sfpu_math::compareFace<sfpu_math::Relation::NotEqual>, dst,
                          VectorMode::RC, number)));
}
ALWI void unary_lt_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void unary_lt_tile(uint32_t dst, uint32_t number) {
  MATH((sfpu_math::onTile(sfpu_math::compareFace<sfpu_math::Relation::Less>, dst,
                          VectorMode::RC, number)));
}
ALWI void unary_le_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void unary_le_tile(uint32_t dst, uint32_t number) {
  MATH((sfpu_math::onTile(sfpu_math::compareFace<sfpu_math::Relation::LessOrEqual>, dst,
                          VectorMode::RC, number)));
}
ALWI void unary_gt_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void unary_gt_tile(uint32_t dst, uint32_t number) {
  MATH((sfpu_math::onTile(sfpu_math::compareFace<sfpu_math::Relation::Greater>, dst,
                          VectorMode::RC, number)));
}
ALWI void unary_ge_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void unary_ge_tile(uint32_t dst, uint32_t number) {
  MATH((sfpu_math::onTile(sfpu_math::compareFace<sfpu_math::Relation::GreaterOrEqual>, dst,
                          VectorMode::RC, number)));
}

} // namespace ckernel
