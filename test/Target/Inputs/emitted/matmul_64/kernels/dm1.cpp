// Program matmul_64: dm1 (RISCV_0) on NoC 1 of every core. Written by Drawloom.
#include "api/dataflow/dataflow_api.h"

constexpr uint32_t cb_c = 2; // 4 tiles of bf16

// Address of a tile that waits in a buffer.
static uint32_t readSlot(uint32_t cb, int32_t tile) {
  return get_read_ptr(cb) + tile * get_tile_size(cb);
}

void kernel_main() {
  constexpr auto c_args = TensorAccessorArgs<0>();
  const auto c = TensorAccessor(c_args, get_common_arg_val<uint32_t>(2));
  cb_wait_front(cb_c, 4);
  for (int32_t i = 0; i < 4; ++i) {
    noc_async_write_page(i, c, readSlot(cb_c, i));
  }
  noc_async_write_barrier();
  cb_pop_front(cb_c, 4);
}
