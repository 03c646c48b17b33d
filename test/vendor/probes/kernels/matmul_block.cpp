// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B for the whole operands as one subblock in Dst. With TRANSPOSE, each
// tile of B is stored transposed; the tiles' order is still that of B.
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
  matmul_block_init(0, 1, transpose, columns, rows, depth);
  cb_wait_front(0, rows * depth);
  cb_wait_front(1, depth * columns);
  tile_regs_acquire();
  for (uint32_t k = 0; k < depth; ++k)
    matmul_block(0, 1, k, k * columns, 0, transpose, columns, rows, depth);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, rows * columns);
  for (uint32_t tile = 0; tile < rows * columns; ++tile)
    pack_tile(tile, 16);
  cb_push_back(16, rows * columns);
  tile_regs_release();
}
