# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = A B on a two-dimensional grid, every edge masked.

    drawloom run examples/triton/matmul_2d.py -- --m 500 --n 300 --k 200
"""
import argparse
import sys

import drawloom
import ml_dtypes
import numpy as np
import triton
import triton.language as tl


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

    tl.store(c_ptr + rows[:, None] * stride_c + columns[None, :], total.to(tl.bfloat16), mask=in_rows & in_columns)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--m", type=int, default=512)
    parser.add_argument("--n", type=int, default=512)
    parser.add_argument("--k", type=int, default=512)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    random = np.random.default_rng(args.seed)
    a = drawloom.array(random.standard_normal((args.m, args.k)), ml_dtypes.bfloat16)
    b = drawloom.array(random.standard_normal((args.k, args.n)), ml_dtypes.bfloat16)
    c = drawloom.array(np.zeros((args.m, args.n), ml_dtypes.bfloat16))
    grid = (triton.cdiv(args.m, 64), triton.cdiv(args.n, 64))
    matmul_2d_kernel[grid](a, b, c, args.m, args.n, args.k, a.stride(0), b.stride(0), c.stride(0), BLOCK_M=64,
                           BLOCK_N=64, BLOCK_K=32)
    if not drawloom.has_values():
        return 0

    expected = a.astype(np.float32) @ b.astype(np.float32)
    error = np.abs(c.astype(np.float32) - expected).max() / np.abs(expected).max()
    print(f"largest error {error:.2e} of the largest element")
    return int(error > 1e-2)


if __name__ == "__main__":
    sys.exit(main())
