# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = A B on a two-dimensional grid, every edge masked.

    drawloom run examples/triton/matmul_2d.py -- --m 500 --n 300 --k 200
"""
import sys

import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def matmul_2d_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BLOCK_M: tl.constexpr,
                     BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(axis=0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(axis=1) * BLOCK_N + tl.arange(0, BLOCK_N)
    in_rows = rows[:, None] < M
    in_columns = columns[None, :] < N

    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        depth = start + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + rows[:, None] * stride_a + depth[None, :], mask=in_rows & (depth[None, :] < K), other=0.0)
        b = tl.load(b_ptr + depth[:, None] * stride_b + columns[None, :], mask=(depth[:, None] < K) & in_columns,
                    other=0.0)
        total = tl.dot(a, b, total)

    tl.store(c_ptr + rows[:, None] * stride_c + columns[None, :], total.to(c_ptr.dtype.element_ty), mask=in_rows & in_columns)


def main():
    args = arguments(__doc__, m=512, n=512, k=512)
    data = Data(args)
    a, b, c = data.normal(args.m, args.k), data.normal(args.k, args.n), data.empty(args.m, args.n)
    grid = (triton.cdiv(args.m, 64), triton.cdiv(args.n, 64))
    matmul_2d_kernel[grid](a, b, c, args.m, args.n, args.k, a.stride(0), b.stride(0), c.stride(0), BLOCK_M=64,
                           BLOCK_N=64, BLOCK_K=32)
    return check(args, c=(c, wide(a) @ wide(b)))


if __name__ == "__main__":
    sys.exit(main())
