// Program matmul_64: compute of every core. Written by Drawloom.
#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"

constexpr uint32_t cb_a = 0; // 4 tiles of bf16
constexpr uint32_t cb_b = 1; // 4 tiles of bf16
constexpr uint32_t cb_c = 2; // 4 tiles of bf16

void kernel_main() {
  compute_kernel_hw_startup<SrcOrder::Reverse>(cb_a, cb_b, cb_c);
  matmul_block_init(cb_a, cb_b, 0, 2, 2, 2);
  cb_wait_front(cb_a, 4);
  cb_wait_front(cb_b, 4);
  cb_reserve_back(cb_c, 4);
  tile_regs_acquire();
  for (int32_t i = 0; i < 2; ++i) {
    matmul_block(cb_a, cb_b, i, 2 * i, 0, 0, 2, 2, 2);
  }
  tile_regs_commit();
  tile_regs_wait();
  for (int32_t i = 0; i < 4; ++i) {
    pack_tile<true>(i, cb_c, i);
  }
  tile_regs_release();
  cb_push_back(cb_c, 4);
  cb_pop_front(cb_a, 4);
  cb_pop_front(cb_b, 4);
}
