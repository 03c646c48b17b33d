// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the vendor's header of this name that emitted programs use.
#pragma once
#include "api/compute/common.h"
#include "math/hyperbolic.h"
#include "math/logarithm.h"
#include "math/reduction.h"
#include "math/unary.h"

namespace ckernel {

template <bool approximate = false> ALWI void sigmoid_tile_init() {
  MATH((sfpu_math::prepare()));
}
template <VectorMode faces = VectorMode::RC, bool approximate = false,
          bool fp32 = DST_ACCUM_MODE>
ALWI void sigmoid_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::sigmoidFace<fp32>, dst, faces)));
}

template <bool approximate = false, bool fp32 = DST_ACCUM_MODE>
ALWI void tanh_tile_init() {
  MATH((sfpu_math::prepare()));
}
template <bool approximate = false, bool fp32 = DST_ACCUM_MODE>
ALWI void tanh_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::tanhFace<fp32>, dst, VectorMode::RC)));
}

template <bool approximate = false, bool fp32 = DST_ACCUM_MODE>
ALWI void log_tile_init() {
  MATH((sfpu_math::prepare()));
}
template <bool approximate = false, bool fp32 = DST_ACCUM_MODE>
ALWI void log_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::logarithmFace<fp32, sfpu_math::Base::E>, dst,
                          VectorMode::RC)));
}

template <bool approximate = false, bool fp32 = DST_ACCUM_MODE>
ALWI void log_with_base_tile_init() {
  MATH((sfpu_math::prepare()));
}
/// The only base here is two; `scale` is then the bits of 1 / ln 2.
template <bool approximate = false, bool two = false, bool fp32 = DST_ACCUM_MODE>
ALWI void log_with_base_tile(uint32_t dst, uint32_t scale) {
  static_assert(two, "logarithms are to base e or 2 here");
  MATH((sfpu_math::onTile(sfpu_math::logarithmFace<fp32, sfpu_math::Base::Two>, dst,
                          VectorMode::RC)));
}

template <bool fp32 = DST_ACCUM_MODE> ALWI void exp2_tile_init() {
  MATH((sfpu_math::prepare()));
}
template <bool fp32 = DST_ACCUM_MODE> ALWI void exp2_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::powerOfTwoFace<fp32>, dst, VectorMode::RC)));
}

ALWI void silu_tile_init() { MATH((sfpu_math::prepare())); }
template <bool fp32 = DST_ACCUM_MODE> ALWI void silu_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::siluFace<fp32>, dst, VectorMode::RC)));
}

ALWI void square_tile_init() { MATH((sfpu_math::prepare())); }
template <bool fp32 = DST_ACCUM_MODE> ALWI void square_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::squareFace<fp32>, dst, VectorMode::RC)));
}

ALWI void abs_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void abs_tile(uint32_t dst) {
  MATH((sfpu_math::onTile(sfpu_math::absoluteFace, dst, VectorMode::RC)));
}

/// Limits are the bits of a float.
ALWI void unary_max_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void unary_max_tile(uint32_t dst, uint32_t limit) {
  MATH((sfpu_math::onTile(sfpu_math::clampFace<true>, dst, VectorMode::RC, limit)));
}
ALWI void unary_min_tile_init() { MATH((sfpu_math::prepare())); }
ALWI void unary_min_tile(uint32_t dst, uint32_t limit) {
  MATH((sfpu_math::onTile(sfpu_math::clampFace<false>, dst, VectorMode::RC, limit)));
}

template <PoolType kind, DataFormat format, bool fp32 = DST_ACCUM_MODE>
ALWI void sfpu_reduce_init() {
  MATH((sfpu_math::prepareReduction<kind, format, fp32>()));
}
template <PoolType kind, DataFormat format, ReduceDim along = ReduceDim::REDUCE_COL,
          bool fp32 = DST_ACCUM_MODE>
ALWI void sfpu_reduce(uint32_t dst) {
  MATH((sfpu_math::reduceLanes<kind, format, along, fp32>(dst)));
}

} // namespace ckernel
