// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding up and down of the vendor's header of this name.
#pragma once
#include "api/compute/common_globals.h"
#include "math/rounding.h"

namespace ckernel {

ALWI void rounding_op_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void floor_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::integerFace<false>, dst, VectorMode::RC)));
}
ALWI void ceil_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::integerFace<true>, dst, VectorMode::RC)));
}

} // namespace ckernel
