# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = A B^T through tensor descriptors made in the kernel; B is stored N x K.

    drawloom run examples/triton/matmul_descriptor.py -- --m 1024 --n 1024 --k 1024
"""
import argparse
import sys

import drawloom
import ml_dtypes
import numpy as np
import triton
import triton.language as tl


@triton.jit
def matmul_descriptor_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                             BLOCK_K: tl.constexpr):
    blocks_n = tl.cdiv(N, BLOCK_N)
    row = tl.program_id(axis=0) // blocks_n * BLOCK_M
    column = tl.program_id(axis=0) % blocks_n * BLOCK_N
    # A descriptor knows its array's shape: what lies outside reads as zero and
    # is not stored, so the kernel needs no masks.
    a = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BLOCK_M, BLOCK_K])
    b = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BLOCK_N, BLOCK_K])
    c = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BLOCK_M, BLOCK_N])

    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        total = tl.dot(a.load([row, start]), b.load([column, start]).T, total)
    c.store([row, column], total.to(tl.bfloat16))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--m", type=int, default=512)
    parser.add_argument("--n", type=int, default=512)
    parser.add_argument("--k", type=int, default=512)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    random = np.random.default_rng(args.seed)
    a = drawloom.array(random.standard_normal((args.m, args.k)), ml_dtypes.bfloat16)
    b = drawloom.array(random.standard_normal((args.n, args.k)), ml_dtypes.bfloat16)
    c = drawloom.array(np.zeros((args.m, args.n), ml_dtypes.bfloat16))
    grid = (triton.cdiv(args.m, 128) * triton.cdiv(args.n, 128), )
    matmul_descriptor_kernel[grid](a, b, c, args.m, args.n, args.k, BLOCK_M=128, BLOCK_N=128, BLOCK_K=64)
    if not drawloom.has_values():
        return 0

    expected = a.astype(np.float32) @ b.astype(np.float32).T
    error = np.abs(c.astype(np.float32) - expected).max() / np.abs(expected).max()
    print(f"largest error {error:.2e} of the largest element")
    return int(error > 1e-2)


if __name__ == "__main__":
    sys.exit(main())
