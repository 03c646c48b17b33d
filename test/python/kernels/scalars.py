# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose scalars from memory decide what a program does."""
import triton
import triton.language as tl


@triton.jit
def chosen_rows(kind_ptr, x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    """Rows of kind 7 are doubled, in two blocks, those of kind -1 become zeros, all others stay."""
    row = tl.program_id(0)
    kind = tl.load(kind_ptr + row)
    if kind == -1:
        for start in range(0, columns, BLOCK):
            lane = start + tl.arange(0, BLOCK)
            tl.store(y_ptr + row * columns + lane, tl.zeros((BLOCK, ), tl.float32), mask=lane < columns)
        return
    tl.debug_barrier()
    for start in range(0, columns, BLOCK):
        lane = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + lane, mask=lane < columns, other=0.0)
        if kind == 7:
            x = x + x
        tl.store(y_ptr + row * columns + lane, x, mask=lane < columns)
