// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the tiles of buffers 0 and 1 as they come, into buffer 16.
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"

void kernel_main() {
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  compute_kernel_hw_startup(0, 1, 16);
  add_init(0, 1);
  cb_reserve_back(16, tiles);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    tile_regs_acquire();
    add_tiles(0, 1, 0, 0, 0);
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
  }
  cb_push_back(16, tiles);
}
