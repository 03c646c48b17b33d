// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An operation of the matrix unit on lines of tiles, into one tile a result: INIT,
// OP (of `tile`, into Dst 0) and UNINIT are its calls. With ACCUMULATE all tiles go
// into one.
#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/reduce.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  constexpr uint32_t together = get_compile_time_arg_val(1);
  compute_kernel_hw_startup(0, 1, 16);
  cb_wait_front(0, tiles);
  cb_wait_front(1, tiles);
  for (uint32_t first = 0; first < tiles; first += together) {
    tile_regs_acquire();
    INIT;
    for (uint32_t tile = first; tile < first + together; ++tile) {
      OP;
    }
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    UNINIT;
    tile_regs_release();
  }
}
