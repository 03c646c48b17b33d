// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a data movement kernel that also writes its core's results.
#pragma once
#include "api/dataflow/dataflow_api.h"

/// Writes `pages` pages of buffer 16 to `tensor` from page `first` on.
template <typename Tensor>
void drain(const Tensor &tensor, uint32_t first, uint32_t pages) {
  cb_wait_front(16, pages);
  uint32_t from = get_read_ptr(16);
  for (uint32_t page = first; page < first + pages; ++page) {
    noc_async_write_page(page, tensor, from);
    from += get_tile_size(16);
  }
  noc_async_write_barrier();
  cb_pop_front(16, pages);
}
