// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a tile in Dst combined in its first column or row: the vendor's own
// code, which is raw. It has both orders by a bit that turns the unit's swaps
// round, which the simulator does not: there rows have maxima and columns minima,
// and the others are those of complements.
#pragma once
#include "lanes.h"
#ifdef TRISC_MATH
#include "ckernel_sfpu_reduce.h"

namespace sfpu_math {

/// Reverses the order of all lanes: -x of floats, -1 - x of integers.
template <DataFormat format> inline void reverseOrderFace() {
  forEachRow([] {
    if constexpr (format == DataFormat::Int32) {
      loadIntegers<r0>(0);
      complement<r0, r0>();
      storeIntegers<r0>(0);
    } else {
      loadRow<r0>();
      negate<r0, r0>();
      storeRow<r0>();
    }
  });
}

template <PoolType kind, ReduceDim along> constexpr PoolType kindThatWorks() {
  if (kind == PoolType::SUM)
    return kind;
  return along == ReduceDim::REDUCE_ROW ? PoolType::MAX : PoolType::MIN;
}

template <PoolType kind, DataFormat format, bool fp32> inline void prepareReduction() {
  prepare();
  sfpu::init_reduce<kind, format, fp32>(1);
}

template <PoolType kind, DataFormat format, ReduceDim along, bool fp32>
inline void reduceLanes(uint32_t tile) {
  constexpr PoolType works = kindThatWorks<kind, along>();
  if constexpr (works != kind) {
    prepare();
    onTile(reverseOrderFace<format>, tile, VectorMode::RC);
    prepareReduction<works, format, fp32>();
  }
  _llk_math_eltwise_unary_sfpu_params_(sfpu::calculate_reduce<works, along, format, fp32>, tile,
                                       VectorMode::RC_custom, 1u, 1u);
  if constexpr (works != kind) {
    prepare();
    onTile(reverseOrderFace<format>, tile, VectorMode::RC);
    prepareReduction<kind, format, fp32>();
  }
}

} // namespace sfpu_math
#endif
