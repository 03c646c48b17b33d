// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A (+, -, *) B on the matrix unit: OP_INIT and OP_TILES name the calls.
#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"

void kernel_main() {
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  compute_kernel_hw_startup(0, 1, 16);
  OP_INIT(0, 1);
  cb_wait_front(0, tiles);
  cb_wait_front(1, tiles);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    tile_regs_acquire();
    OP_TILES(0, 1, tile, tile, 0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
