// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's header of this name, on our functions. The approximate modes are
// accepted and give the accurate result.
#pragma once
#include "api/compute/common_globals.h"
#include "math/error_function.h"
#include "math/unary.h"

namespace ckernel {

template <bool approximate = true, bool fp32 = DST_ACCUM_MODE>
ALWI void gelu_tile_init() { MATH((sfpu_math::prepare())); }
template <bool approximate = true, bool fp32 = DST_ACCUM_MODE>
ALWI void gelu_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::geluFace<fp32>, dst, VectorMode::RC)));
}

template <bool fast = false> ALWI void gelu_tanh_tile_init() { MATH((sfpu_math::prepare())); }
template <bool fp32 = DST_ACCUM_MODE, bool fast = false>
ALWI void gelu_tanh_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::geluTanhFace<fp32>, dst, VectorMode::RC)));
}

} // namespace ckernel
