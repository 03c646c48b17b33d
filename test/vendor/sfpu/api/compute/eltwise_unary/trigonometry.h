// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sine and cosine of the vendor's header of this name.
#pragma once
#include "api/compute/common_globals.h"
#include "math/trigonometry.h"

namespace ckernel {

ALWI void sin_tile_init() { MATH((sfpu_math::prepare())); }
template <bool fp32 = DST_ACCUM_MODE> ALWI void sin_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::waveFace<fp32, sfpu_math::Wave::Sine>, dst, VectorMode::RC)));
}

ALWI void cos_tile_init() { MATH((sfpu_math::prepare())); }
template <bool fp32 = DST_ACCUM_MODE> ALWI void cos_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::waveFace<fp32, sfpu_math::Wave::Cosine>, dst, VectorMode::RC)));
}

} // namespace ckernel
