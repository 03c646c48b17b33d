// Program matmul_64: dm0 (RISCV_1) on NoC 0 of every core. Written by Drawloom.
#include "api/dataflow/dataflow_api.h"

constexpr uint32_t cb_a = 0; // 4 tiles of bf16
constexpr uint32_t cb_b = 1; // 4 tiles of bf16

// Address of a tile of the space that is reserved in a buffer.
static uint32_t writeSlot(uint32_t cb, int32_t tile) {
  return get_write_ptr(cb) + tile * get_tile_size(cb);
}

void kernel_main() {
  constexpr auto a_args = TensorAccessorArgs<0>();
  const auto a = TensorAccessor(a_args, get_common_arg_val<uint32_t>(0));
  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto b = TensorAccessor(b_args, get_common_arg_val<uint32_t>(1));
  cb_reserve_back(cb_a, 4);
  cb_reserve_back(cb_b, 4);
  for (int32_t i = 0; i < 4; ++i) {
    noc_async_read_page(i, a, writeSlot(cb_a, i));
    noc_async_read_page(i, b, writeSlot(cb_b, i));
  }
  noc_async_read_barrier();
  cb_push_back(cb_a, 4);
  cb_push_back(cb_b, 4);
}
