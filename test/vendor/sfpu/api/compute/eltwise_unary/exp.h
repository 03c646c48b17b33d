// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's header of this name, on our exponentials. The approximate mode without
// a clamp is accepted and clamps.
#pragma once
#include "api/compute/common_globals.h"
#include "math/exponential.h"

namespace ckernel {

enum class InputClamping : uint8_t { ClampToNegative = 1, None = 0 };

template <bool approximate = false, uint32_t scale = 0x3F800000,
          InputClamping clamping = InputClamping::ClampToNegative,
          bool fp32 = DST_ACCUM_MODE>
ALWI void exp_tile_init() {
  MATH((sfpu_math::prepare()));
  if constexpr (approximate)
    MATH((sfpu_math::setApproximateConstants<scale>()));
}

template <bool approximate = false, bool scaled = false,
          InputClamping clamping = InputClamping::ClampToNegative,
          int iterations = 8, bool fp32 = DST_ACCUM_MODE>
ALWI void exp_tile(uint32_t dst, VectorMode faces = VectorMode::RC,
                   uint16_t scale = p_sfpu::kCONST_1_FP16B) {
  if constexpr (approximate)
    MATH((sfpu_math::onTile(sfpu_math::approximateExponentialFace, dst, faces)));
  else
    MATH((sfpu_math::onTile(sfpu_math::exponentialFace<fp32, scaled>, dst, faces,
                            (uint32_t)scale)));
}

} // namespace ckernel
