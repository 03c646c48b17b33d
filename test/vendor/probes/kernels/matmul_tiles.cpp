// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B a tile at a time; with TRANSPOSE, B is stored as its transpose.
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"

#ifdef TRANSPOSE
constexpr uint32_t transpose = 1;
#else
constexpr uint32_t transpose = 0;
#endif

void kernel_main() {
  constexpr uint32_t rows = get_compile_time_arg_val(0);
  constexpr uint32_t depth = get_compile_time_arg_val(1);
  constexpr uint32_t columns = get_compile_time_arg_val(2);
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16);
  matmul_init(0, 1, transpose);
  cb_wait_front(0, rows * depth);
  cb_wait_front(1, depth * columns);
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t column = 0; column < columns; ++column) {
      tile_regs_acquire();
      for (uint32_t k = 0; k < depth; ++k) {
        const uint32_t b = transpose ? column * depth + k : k * columns + column;
        matmul_tiles(0, 1, row * depth + k, b, 0);
      }
      tile_regs_commit();
      tile_regs_wait();
      cb_reserve_back(16, 1);
      pack_tile(0, 16);
      cb_push_back(16, 1);
      tile_regs_release();
    }
}
