// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The floating point part of the vendor's header of this name.
#pragma once
#include "api/compute/common_globals.h"
#include "math/unary.h"

namespace ckernel {

ALWI void negative_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void negative_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::negativeFace, dst, VectorMode::RC)));
}

} // namespace ckernel
