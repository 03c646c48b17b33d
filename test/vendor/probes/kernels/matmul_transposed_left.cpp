// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A' B where A is stored [k, row]: its tiles are transposed into buffer 24
// first, for matmul can transpose only its right operand.
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/transpose.h"

constexpr uint32_t left = 24;

void kernel_main() {
  constexpr uint32_t rows = get_compile_time_arg_val(0);
  constexpr uint32_t depth = get_compile_time_arg_val(1);
  constexpr uint32_t columns = get_compile_time_arg_val(2);
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, left);
  transpose_init(0);
  cb_wait_front(0, rows * depth);
  cb_reserve_back(left, rows * depth);
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t k = 0; k < depth; ++k) {
      tile_regs_acquire();
      transpose_tile(0, k * rows + row, 0);
      tile_regs_commit();
      tile_regs_wait();
      pack_tile(0, left);
      tile_regs_release();
    }
  cb_push_back(left, rows * depth);
  cb_wait_front(left, rows * depth);
  cb_wait_front(1, depth * columns);
  pack_reconfig_data_format(left, 16);
  matmul_block_init(left, 1, 0, columns, rows, depth);
  tile_regs_acquire();
  for (uint32_t k = 0; k < depth; ++k)
    matmul_block(left, 1, k, k * columns, 0, 0, columns, rows, depth);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, rows * columns);
  // Out of order: the tile index counts from the reserved space's start.
  for (uint32_t tile = rows * columns; tile-- > 0;)
    pack_tile<true>(tile, 16, tile);
  cb_push_back(16, rows * columns);
  tile_regs_release();
}
