// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The floating point part of the vendor's header of this name, on our clamps.
#pragma once
#include "api/compute/common_globals.h"
#include "math/unary.h"

namespace ckernel {

ALWI void relu_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void relu_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::clampFace<true>, dst, VectorMode::RC, 0u)));
}

/// max(x, limit), a float given by its bits.
ALWI void relu_min_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void relu_min_tile(uint32_t dst, uint32_t limit) {
  MATH((sfpu_math::onTile(sfpu_math::clampFace<true>, dst, VectorMode::RC, limit)));
}

} // namespace ckernel
