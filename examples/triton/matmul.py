# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = A B in bf16 with fp32 accumulation, any shape, programs launched in groups.

    drawloom run examples/triton/matmul.py -- --m 1024 --n 1024 --k 1024
"""
import argparse
import sys

import drawloom
import ml_dtypes
import numpy as np
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr):
    # Launch order: GROUP_M block rows share a sweep over the block columns, so
    # that programs near in time read the same blocks of B.
    pid = tl.program_id(axis=0)
    blocks_m = tl.cdiv(M, BLOCK_M)
    blocks_n = tl.cdiv(N, BLOCK_N)
    group = pid // (GROUP_M * blocks_n)
    first_m = group * GROUP_M
    rows_in_group = min(blocks_m - first_m, GROUP_M)
    in_group = pid % (GROUP_M * blocks_n)
    block_m = first_m + in_group % rows_in_group
    block_n = in_group // rows_in_group

    rows = block_m * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = block_n * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    # Rows past the end wrap around: they are read, but never stored.
    a = a_ptr + (rows % M)[:, None] * stride_am + depth[None, :] * stride_ak
    b = b_ptr + depth[:, None] * stride_bk + (columns % N)[None, :] * stride_bn

    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for step in range(tl.cdiv(K, BLOCK_K)):
        left = K - step * BLOCK_K
        a_block = tl.load(a, mask=depth[None, :] < left, other=0.0)
        b_block = tl.load(b, mask=depth[:, None] < left, other=0.0)
        total = tl.dot(a_block, b_block, total)
        a += BLOCK_K * stride_ak
        b += BLOCK_K * stride_bk

    c = c_ptr + rows[:, None] * stride_cm + columns[None, :] * stride_cn
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c, total.to(tl.bfloat16), mask=inside)


def matmul(a, b):
    (M, K), (_, N) = a.shape, b.shape
    c = drawloom.array(np.zeros((M, N), ml_dtypes.bfloat16))

    def grid(meta):
        return (triton.cdiv(M, meta["BLOCK_M"]) * triton.cdiv(N, meta["BLOCK_N"]), )

    matmul_kernel[grid](a, b, c, M, N, K, *a.stride(), *b.stride(), *c.stride(), BLOCK_M=128, BLOCK_N=128, BLOCK_K=64,
                        GROUP_M=8)
    return c


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
    c = matmul(a, b)
    if not drawloom.has_values():
        return 0

    expected = a.astype(np.float32) @ b.astype(np.float32)
    error = np.abs(c.astype(np.float32) - expected).max() / np.abs(expected).max()
    print(f"largest error {error:.2e} of the largest element")
    return int(error > 1e-2)


if __name__ == "__main__":
    sys.exit(main())
