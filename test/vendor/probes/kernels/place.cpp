// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes where this kernel runs, eight words, to one page of the output.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t buffer = get_compile_time_arg_val(0);
  constexpr auto args = TensorAccessorArgs<1>();
  const auto result = TensorAccessor(args, get_arg_val<uint32_t>(0));
  cb_reserve_back(buffer, 1);
  auto *words = (volatile tt_l1_ptr uint32_t *)get_write_ptr(buffer);
  words[0] = PROCESSOR_INDEX;
  words[1] = noc_index;
  words[2] = my_x[noc_index];
  words[3] = my_y[noc_index];
  words[4] = get_absolute_logical_x();
  words[5] = get_absolute_logical_y();
  words[6] = result.get_aligned_page_size();
  words[7] = get_write_ptr(buffer);
  noc_async_write_page(get_arg_val<uint32_t>(1), result, get_write_ptr(buffer));
  noc_async_write_barrier();
}
