// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills one bf16 tile from rows of a row-major tensor: parts of pages, and lanes
// placed one by one, for a part of a row that starts anywhere.
#include "api/dataflow/dataflow_api.h"

// Lane (row, column) of a 32x32 tile in L1: four 16x16 faces, each row-major.
uint32_t laneOf(uint32_t row, uint32_t column) {
  const uint32_t face = (row / 16) * 2 + column / 16;
  return face * 256 + (row % 16) * 16 + column % 16;
}

void kernel_main() {
  const uint32_t column = get_arg_val<uint32_t>(1); // first, in elements
  const uint32_t alignment = get_arg_val<uint32_t>(2); // of DRAM reads, bytes
  constexpr auto sourceArgs = TensorAccessorArgs<0>();
  constexpr auto resultArgs =
      TensorAccessorArgs<sourceArgs.next_compile_time_args_offset()>();
  const auto source = TensorAccessor(sourceArgs, get_arg_val<uint32_t>(0));
  const auto result = TensorAccessor(resultArgs, get_arg_val<uint32_t>(3));
  cb_reserve_back(0, 1);
  cb_reserve_back(1, 1);
  auto *tile = (volatile tt_l1_ptr uint16_t *)get_write_ptr(0);
  const uint32_t scratch = get_write_ptr(1);
  // The 32 elements wanted, from the aligned address before them on.
  const uint32_t begin = column * 2 / alignment * alignment;
  const uint32_t end =
      (column * 2 + 64 + alignment - 1) / alignment * alignment;
  for (uint32_t row = 0; row < 32; ++row) {
    noc_async_read(source.get_noc_addr(row, begin), scratch, end - begin);
    noc_async_read_barrier();
    auto *elements =
        (volatile tt_l1_ptr uint16_t *)(scratch + column * 2 - begin);
    for (uint32_t lane = 0; lane < 32; ++lane)
      tile[laneOf(row, lane)] = elements[lane];
  }
  // The tile's first half, then the rest from an offset in the page.
  noc_async_write_page(0, result, get_write_ptr(0), 1024);
  noc_async_write_page(0, result, get_write_ptr(0) + 1024, 1024, 1024);
  noc_async_write_barrier();
}
