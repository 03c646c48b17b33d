# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = op(A) op(B), where either operand may be stored transposed.

The kernel is one and the same: a transposed operand is a view whose strides are
swapped, so its blocks are read along the other axis.

    drawloom run examples/triton/matmul_transposed.py -- --ta --tb
"""
import argparse
import sys

import drawloom
import ml_dtypes
import numpy as np
import triton
import triton.language as tl


@triton.jit
def matmul_strided_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm,
                          BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(axis=0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(axis=1) * BLOCK_N + tl.arange(0, BLOCK_N)
    in_rows = rows[:, None] < M
    in_columns = columns[None, :] < N

    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        depth = start + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + rows[:, None] * stride_am + depth[None, :] * stride_ak,
                    mask=in_rows & (depth[None, :] < K), other=0.0)
        b = tl.load(b_ptr + depth[:, None] * stride_bk + columns[None, :] * stride_bn,
                    mask=(depth[:, None] < K) & in_columns, other=0.0)
        total = tl.dot(a, b, total)

    tl.store(c_ptr + rows[:, None] * stride_cm + columns[None, :], total.to(tl.bfloat16), mask=in_rows & in_columns)


def operand(random, rows, columns, transposed):
    """A rows x columns matrix; if transposed, a view of one stored columns x rows."""
    shape = (columns, rows) if transposed else (rows, columns)
    stored = drawloom.array(random.standard_normal(shape), ml_dtypes.bfloat16)
    return stored.T if transposed else stored


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--m", type=int, default=512)
    parser.add_argument("--n", type=int, default=512)
    parser.add_argument("--k", type=int, default=512)
    parser.add_argument("--ta", action="store_true", help="A is stored K x M")
    parser.add_argument("--tb", action="store_true", help="B is stored N x K")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    random = np.random.default_rng(args.seed)
    a = operand(random, args.m, args.k, args.ta)
    b = operand(random, args.k, args.n, args.tb)
    c = drawloom.array(np.zeros((args.m, args.n), ml_dtypes.bfloat16))
    grid = (triton.cdiv(args.m, 128), triton.cdiv(args.n, 128))
    matmul_strided_kernel[grid](a, b, c, args.m, args.n, args.k, *a.stride(), *b.stride(), c.stride(0), BLOCK_M=128,
                                BLOCK_N=128, BLOCK_K=64)
    if not drawloom.has_values():
        return 0

    expected = a.astype(np.float32) @ b.astype(np.float32)
    error = np.abs(c.astype(np.float32) - expected).max() / np.abs(expected).max()
    print(f"largest error {error:.2e} of the largest element")
    return int(error > 1e-2)


if __name__ == "__main__":
    sys.exit(main())
