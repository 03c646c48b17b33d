# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in blocks of one hardware tile: few enough products for a simulator
of the vendor's to run them in seconds.

    small_blocks.py matmul M N K
    small_blocks.py add|multiply N
"""
import sys

import ml_dtypes
import numpy as np
import triton
import triton.language as tl

import drawloom


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, m, n, k, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in range(0, k, BLOCK):
        depth = start + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + rows[:, None] * k + depth[None, :],
                    mask=(rows[:, None] < m) & (depth[None, :] < k), other=0.0)
        b = tl.load(b_ptr + depth[:, None] * n + columns[None, :],
                    mask=(depth[:, None] < k) & (columns[None, :] < n), other=0.0)
        total = tl.dot(a, b, total)
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], total.to(tl.bfloat16),
             mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def elementwise(x_ptr, y_ptr, z_ptr, n, MULTIPLY: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    y = tl.load(y_ptr + at, mask=at < n)
    tl.store(z_ptr + at, x * y if MULTIPLY else x + y, mask=at < n)


def normal(rng, *shape):
    return drawloom.array(rng.standard_normal(shape).astype(ml_dtypes.bfloat16))


def main():
    rng = np.random.default_rng(0)
    name, sizes = sys.argv[1], [int(text) for text in sys.argv[2:]]
    if name == "matmul":
        m, n, k = sizes
        a, b, c = normal(rng, m, k), normal(rng, k, n), normal(rng, m, n)
        matmul[(triton.cdiv(m, 32), triton.cdiv(n, 32))](a, b, c, m, n, k, BLOCK=32)
    else:
        (n,) = sizes
        x, y, z = normal(rng, n), normal(rng, n), normal(rng, n)
        elementwise[(triton.cdiv(n, 1024),)](x, y, z, n, MULTIPLY=name == "multiply", BLOCK=1024)


main()
