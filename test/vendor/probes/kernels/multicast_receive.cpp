// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Receives the pages that a multicast_send.cpp elsewhere sends to this buffer.
#include "api/dataflow/dataflow_api.h"
#include "drain.h"

void kernel_main() {
  constexpr uint32_t buffer = get_compile_time_arg_val(0);
  constexpr uint32_t pages = get_compile_time_arg_val(1);
  const uint32_t senderX = get_arg_val<uint32_t>(0);
  const uint32_t senderY = get_arg_val<uint32_t>(1);
  const uint32_t ready = get_semaphore(2 * buffer);
  auto *validFlag =
      (volatile tt_l1_ptr uint32_t *)get_semaphore(2 * buffer + 1);
  for (uint32_t page = 0; page < pages; ++page) {
    cb_reserve_back(buffer, 1);
    noc_semaphore_set(validFlag, 0);
    noc_semaphore_inc(get_noc_addr(senderX, senderY, ready), 1);
    noc_semaphore_wait(validFlag, 1);
    cb_push_back(buffer, 1);
  }
  noc_async_atomic_barrier();
#ifdef DRAIN
  constexpr auto resultArgs = TensorAccessorArgs<2>();
  drain(TensorAccessor(resultArgs, get_arg_val<uint32_t>(2)),
        get_arg_val<uint32_t>(3), pages);
#endif
}
