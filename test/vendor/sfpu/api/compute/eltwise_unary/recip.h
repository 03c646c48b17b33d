// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's header of this name, on our reciprocal. The approximate modes are
// accepted and give the accurate result.
#pragma once
#include "api/compute/common_globals.h"
#include "math/reciprocal.h"

namespace ckernel {

enum class ReciprocalDestAcc { BF16, FP32 };
enum class ReciprocalApproxMode { Default, Precise, Approximate };
constexpr ReciprocalDestAcc reciprocalOfDst =
    DST_ACCUM_MODE ? ReciprocalDestAcc::FP32 : ReciprocalDestAcc::BF16;

template <ReciprocalDestAcc format = reciprocalOfDst,
          ReciprocalApproxMode mode = ReciprocalApproxMode::Default>
ALWI void recip_tile_init() {
  MATH((sfpu_math::prepare()));
}

template <ReciprocalDestAcc format = reciprocalOfDst,
          ReciprocalApproxMode mode = ReciprocalApproxMode::Default>
ALWI void recip_tile(uint32_t dst, VectorMode faces = VectorMode::RC) {
  MATH((sfpu_math::onTile(
      sfpu_math::reciprocalFace<format == ReciprocalDestAcc::FP32>, dst, faces)));
}

} // namespace ckernel
