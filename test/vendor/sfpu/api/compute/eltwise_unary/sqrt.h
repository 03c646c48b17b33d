// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's header of this name, on our roots. The approximate mode is accepted and
// gives the accurate result.
#pragma once
#include "api/compute/common_globals.h"
#include "math/roots.h"

namespace ckernel {

ALWI void sqrt_tile_init() { MATH((sfpu_math::prepare())); }
template <bool approximate = false, bool fp32 = DST_ACCUM_MODE>
ALWI void sqrt_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::rootFace<fp32>, dst, VectorMode::RC)));
}

} // namespace ckernel
