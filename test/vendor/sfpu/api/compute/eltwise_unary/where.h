// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's header of this name. Its own takes -0 for true, and stops the simulator
// in bf16.
#pragma once
#include "api/compute/common_globals.h"
#include "math/select.h"

namespace ckernel {

ALWI void where_tile_init() { MATH((sfpu_math::prepare())); }
template <DataFormat format>
ALWI void where_tile(uint32_t condition, uint32_t yes, uint32_t no, uint32_t result) {
  constexpr bool fp32 = format != DataFormat::Float16_b;
  MATH((sfpu_math::onTiles(sfpu_math::selectFaces<fp32>, condition, yes, no, result)));
}

} // namespace ckernel
