// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One number for all lanes: the vendor's header of this name.
#pragma once
#include "api/compute/common_globals.h"
#include "math/select.h"

namespace ckernel {

ALWI void fill_tile_init() { MATH((sfpu_math::prepare())); }
/// The number is given by its bits; bf16 Dst cuts them off.
ALWI void fill_tile_bitcast(uint32_t dst, uint32_t bits) {
  MATH((sfpu_math::onTile(sfpu_math::fillFace<false>, dst, VectorMode::RC, bits)));
}
template <DataFormat format> ALWI void fill_tile_int(uint32_t dst, uint32_t number) {
  static_assert(format == DataFormat::Int32);
  MATH((sfpu_math::onTile(sfpu_math::fillFace<true>, dst, VectorMode::RC, number)));
}

} // namespace ckernel
