// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's header of this name, on our roots. The modes are accepted and give the
// accurate result.
#pragma once
#include "api/compute/common_globals.h"
#include "math/roots.h"

namespace ckernel {

enum class RsqrtMode { Default, Precise, Approximate };

ALWI void rsqrt_tile_init() { MATH((sfpu_math::prepare())); }
template <RsqrtMode mode = RsqrtMode::Default, bool fp32 = DST_ACCUM_MODE>
ALWI void rsqrt_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::inverseRootFace<fp32>, dst, VectorMode::RC)));
}

} // namespace ckernel
