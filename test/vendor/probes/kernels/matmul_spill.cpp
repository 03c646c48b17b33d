// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B with the partial sums leaving Dst after every step of k: packed as
// fp32 into buffer 24 and brought back into Dst before the next step.
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/tile_move_copy.h"

constexpr uint32_t partial = 24;

void kernel_main() {
  constexpr uint32_t rows = get_compile_time_arg_val(0);
  constexpr uint32_t depth = get_compile_time_arg_val(1);
  constexpr uint32_t columns = get_compile_time_arg_val(2);
  constexpr uint32_t tiles = rows * columns;
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, partial);
  cb_wait_front(0, rows * depth);
  cb_wait_front(1, depth * columns);
  for (uint32_t k = 0; k < depth; ++k) {
    tile_regs_acquire();
    if (k > 0) {
      reconfig_data_format_srca(1, partial);
      copy_init(partial);
      cb_wait_front(partial, tiles);
      for (uint32_t tile = 0; tile < tiles; ++tile)
        copy_tile(partial, tile, tile);
      cb_pop_front(partial, tiles);
      reconfig_data_format_srca(partial, 1);
    }
    matmul_block_init(0, 1, 0, columns, rows, depth);
    matmul_block(0, 1, k, k * columns, 0, 0, columns, rows, depth);
    tile_regs_commit();
    const bool last = k + 1 == depth;
    const uint32_t to = last ? 16 : partial;
    cb_reserve_back(to, tiles);
    tile_regs_wait();
    if (last)
      pack_reconfig_data_format(partial, 16);
    for (uint32_t tile = 0; tile < tiles; ++tile)
      pack_tile(tile, to);
    cb_push_back(to, tiles);
    tile_regs_release();
  }
}
