// Program multicast_2x2: compute of every core. Written by Drawloom.
#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"

constexpr uint32_t cb_a = 0; // 2 tiles of bf16
constexpr uint32_t cb_b = 1; // 2 tiles of bf16
constexpr uint32_t cb_c = 2; // 1 tile of bf16

void kernel_main() {
  compute_kernel_hw_startup<SrcOrder::Reverse>(cb_a, cb_b, cb_c);
  matmul_block_init(cb_a, cb_b, 0, 1, 1, 1);
  tile_regs_acquire();
  for (int32_t i = 0; i < 2; ++i) {
    cb_wait_front(cb_a, 1);
    cb_wait_front(cb_b, 1);
    matmul_block(cb_a, cb_b, 0, 0, 0, 0, 1, 1, 1);
    cb_pop_front(cb_a, 1);
    cb_pop_front(cb_b, 1);
  }
  cb_reserve_back(cb_c, 1);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile<true>(0, cb_c, 0);
  cb_push_back(cb_c, 1);
  tile_regs_release();
}
