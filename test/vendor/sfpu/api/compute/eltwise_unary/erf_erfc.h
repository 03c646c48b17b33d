// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function of the vendor's header of this name. The approximate mode is
// accepted and gives the accurate result.
#pragma once
#include "api/compute/common_globals.h"
#include "math/error_function.h"

namespace ckernel {

template <bool approximate = true> ALWI void erf_tile_init() { MATH((sfpu_math::prepare())); }
template <bool approximate = true> ALWI void erf_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::errorFunctionFace<DST_ACCUM_MODE>, dst, VectorMode::RC)));
}

} // namespace ckernel
