// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the vendor's header of this name that emitted programs use.
#pragma once
#include "api/compute/common.h"
#include "math/unary.h"

namespace ckernel {

template <bool approximate = false> ALWI void sigmoid_tile_init() {
  MATH((sfpu_math::prepare()));
}
template <VectorMode faces = VectorMode::RC, bool approximate = false,
          bool fp32 = DST_ACCUM_MODE>
ALWI void sigmoid_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::sigmoidFace<fp32>, dst, faces)));
}

ALWI void silu_tile_init() { MATH((sfpu_math::prepare())); }
template <bool fp32 = DST_ACCUM_MODE> ALWI void silu_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::siluFace<fp32>, dst, VectorMode::RC)));
}

ALWI void square_tile_init() { MATH((sfpu_math::prepare())); }
template <bool fp32 = DST_ACCUM_MODE> ALWI void square_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::squareFace<fp32>, dst, VectorMode::RC)));
}

ALWI void abs_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void abs_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::absoluteFace, dst, VectorMode::RC)));
}

} // namespace ckernel
