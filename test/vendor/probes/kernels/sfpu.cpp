// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One SFPU operation on tiles in Dst: SFPU_HEADER declares it, SFPU_INIT and SFPU_OP
// are its calls; the operands are in Dst 0 and 1, the result is in Dst 0.
#include "api/compute/common.h"
#include SFPU_HEADER
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/pack.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  compute_kernel_hw_startup(0, 16);
  copy_init(0);
  SFPU_INIT;
  cb_wait_front(0, tiles);
  cb_wait_front(1, tiles);
  cb_reserve_back(16, tiles);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    tile_regs_acquire();
    copy_tile(0, tile, 0);
    copy_tile(1, tile, 1);
    SFPU_OP;
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
  }
  cb_push_back(16, tiles);
}
