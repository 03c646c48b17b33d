// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads pages of a tensor and multicasts each to a rectangle of cores, into the
// same buffer there. LOOPBACK: the rectangle holds this core; otherwise it does
// not, and this core keeps the page it read.
#include "api/dataflow/dataflow_api.h"
#include "drain.h"

void kernel_main() {
  constexpr uint32_t buffer = get_compile_time_arg_val(0);
  constexpr uint32_t pages = get_compile_time_arg_val(1);
  constexpr auto args = TensorAccessorArgs<2>();
  const auto tensor = TensorAccessor(args, get_arg_val<uint32_t>(0));
  const uint32_t first = get_arg_val<uint32_t>(1);
  const uint32_t startX = get_arg_val<uint32_t>(2);
  const uint32_t startY = get_arg_val<uint32_t>(3);
  const uint32_t endX = get_arg_val<uint32_t>(4);
  const uint32_t endY = get_arg_val<uint32_t>(5);
  const uint32_t receivers = get_arg_val<uint32_t>(6);
  const uint32_t ready = get_semaphore(2 * buffer);
  const uint32_t valid = get_semaphore(2 * buffer + 1);
  auto *readyCount = (volatile tt_l1_ptr uint32_t *)ready;
  auto *validFlag = (volatile tt_l1_ptr uint32_t *)valid;
  const uint32_t bytes = get_tile_size(buffer);
  for (uint32_t page = first; page < first + pages; ++page) {
    cb_reserve_back(buffer, 1);
    const uint32_t to = get_write_ptr(buffer);
    noc_async_read_page(page, tensor, to);
    noc_async_read_barrier();
    // Each receiver has room for the page, at the address it has here.
    noc_semaphore_wait(readyCount, receivers);
    noc_semaphore_set(readyCount, 0);
    const uint64_t data = get_noc_multicast_addr(startX, startY, endX, endY, to);
    const uint64_t flag =
        get_noc_multicast_addr(startX, startY, endX, endY, valid);
    *validFlag = 1;
#ifdef LOOPBACK
    noc_async_write_multicast_loopback_src(to, data, bytes, receivers + 1);
    noc_semaphore_set_multicast_loopback_src(valid, flag, receivers + 1);
#else
    noc_async_write_multicast(to, data, bytes, receivers);
    noc_semaphore_set_multicast(valid, flag, receivers);
#endif
    noc_async_write_barrier();
    cb_push_back(buffer, 1);
  }
#ifdef DRAIN
  constexpr auto resultArgs =
      TensorAccessorArgs<args.next_compile_time_args_offset()>();
  drain(TensorAccessor(resultArgs, get_arg_val<uint32_t>(7)),
        get_arg_val<uint32_t>(8), pages);
#endif
}
