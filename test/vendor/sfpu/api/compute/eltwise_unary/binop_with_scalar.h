// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic with a number, given by its bits, of the vendor's header of this name.
#pragma once
#include "api/compute/common_globals.h"
#include "math/binary.h"

namespace ckernel {

ALWI void binop_with_scalar_tile_init() { MATH((sfpu_math::prepare())); }
template <bool fp32 = DST_ACCUM_MODE>
ALWI void add_unary_tile(uint32_t dst, uint32_t number) {
  MATH((sfpu_math::onTile(sfpu_math::scalarFace<fp32, sfpu_math::Operation::Add>, dst,
                          VectorMode::RC, number)));
}
template <bool fp32 = DST_ACCUM_MODE>
ALWI void sub_unary_tile(uint32_t dst, uint32_t number) {
  MATH((sfpu_math::onTile(sfpu_math::scalarFace<fp32, sfpu_math::Operation::Subtract>, dst,
                          VectorMode::RC, number)));
}
template <bool fp32 = DST_ACCUM_MODE>
ALWI void rsub_unary_tile(uint32_t dst, uint32_t number) {
  MATH((sfpu_math::onTile(sfpu_math::scalarFace<fp32, sfpu_math::Operation::SubtractReversed>, dst,
                          VectorMode::RC, number)));
}
template <bool fp32 = DST_ACCUM_MODE>
ALWI void mul_unary_tile(uint32_t dst, uint32_t number) {
  MATH((sfpu_math::onTile(sfpu_math::scalarFace<fp32, sfpu_math::Operation::Multiply>, dst,
                          VectorMode::RC, number)));
}

} // namespace ckernel
