// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's header of this name, for conversions between i32 and fp32 in 32-bit Dst.
#pragma once
#include "api/compute/common_globals.h"
#include "math/integer.h"

namespace ckernel {

template <uint32_t from, uint32_t to> ALWI void typecast_tile_init() {
  MATH((sfpu_math::prepare()));
}
template <uint32_t from, uint32_t to, bool fp32 = DST_ACCUM_MODE>
ALWI void typecast_tile(uint32_t dst) {
  constexpr uint32_t integer = (uint32_t)DataFormat::Int32;
  static_assert(fp32 && (from == integer || to == integer));
  if constexpr (from == integer)
    MATH((sfpu_math::onTile(sfpu_math::integersToFloatsFace, dst, VectorMode::RC)));
  else
    MATH((sfpu_math::onTile(sfpu_math::floatsToIntegersFace, dst, VectorMode::RC)));
}

} // namespace ckernel
