// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings every page of one or two tensors into circular buffers 0 and 1, each
// pushed at once so that a compute kernel can take its tiles in any order.
#include "api/dataflow/dataflow_api.h"

template <typename Tensor>
void readAll(const Tensor &tensor, uint32_t buffer, uint32_t pages) {
  cb_reserve_back(buffer, pages);
  uint32_t to = get_write_ptr(buffer);
  for (uint32_t page = 0; page < pages; ++page) {
    noc_async_read_page(page, tensor, to);
    to += get_tile_size(buffer);
  }
  noc_async_read_barrier();
  cb_push_back(buffer, pages);
}

void kernel_main() {
  const uint32_t leftPages = get_arg_val<uint32_t>(1);
  constexpr auto leftArgs = TensorAccessorArgs<0>();
  const auto left = TensorAccessor(leftArgs, get_arg_val<uint32_t>(0));
  readAll(left, 0, leftPages);
#ifdef TWO_OPERANDS
  const uint32_t rightPages = get_arg_val<uint32_t>(3);
  constexpr auto rightArgs =
      TensorAccessorArgs<leftArgs.next_compile_time_args_offset()>();
  const auto right = TensorAccessor(rightArgs, get_arg_val<uint32_t>(2));
  readAll(right, 1, rightPages);
#endif
}
