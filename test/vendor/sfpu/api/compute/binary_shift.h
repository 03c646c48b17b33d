// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's header of this name, for i32.
#pragma once
#include "api/compute/common_globals.h"
#include "math/integer.h"

namespace ckernel {

ALWI void binary_shift_tile_init() { MATH((sfpu_math::prepare())); }
template <DataFormat format>
ALWI void binary_left_shift_tile(uint32_t left, uint32_t right, uint32_t result) {
  static_assert(format == DataFormat::Int32);
  MATH((sfpu_math::onTiles(
      sfpu_math::integerFaces<sfpu_math::IntegerOperation::ShiftLeft>, left, right, result)));
}
template <DataFormat format>
ALWI void binary_right_shift_tile(uint32_t left, uint32_t right, uint32_t result) {
  static_assert(format == DataFormat::Int32);
  MATH((sfpu_math::onTiles(
      sfpu_math::integerFaces<sfpu_math::IntegerOperation::ShiftRight>, left, right, result)));
}
template <DataFormat format>
ALWI void binary_logical_right_shift_tile(uint32_t left, uint32_t right, uint32_t result) {
  static_assert(format == DataFormat::Int32);
  MATH((sfpu_math::onTiles(
      sfpu_math::integerFaces<sfpu_math::IntegerOperation::ShiftRightLogical>, left, right, result)));
}

} // namespace ckernel
