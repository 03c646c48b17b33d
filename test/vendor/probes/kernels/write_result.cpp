// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the pages of circular buffer 16, as they come, to a tensor from the
// given first page on.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t pages = get_arg_val<uint32_t>(1);
  const uint32_t first = get_arg_val<uint32_t>(2);
  constexpr auto args = TensorAccessorArgs<0>();
  const auto tensor = TensorAccessor(args, get_arg_val<uint32_t>(0));
  for (uint32_t page = first; page < first + pages; ++page) {
    cb_wait_front(16, 1);
    noc_async_write_page(page, tensor, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
}
