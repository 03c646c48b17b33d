# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by a weight kept in 8 or 4 bits, made wide again in the kernel.

    drawloom run examples/triton/dequant.py --check -- --bits 4 --m 16 --n 256 --k 256

8 bits: signed, a scale a column. 4 bits: eight along k in an int32, unsigned around 8, a scale a column and group.
"""
import sys

import drawloom
import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def int8_matmul_kernel(a_ptr, q_ptr, scale_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                       BLOCK_K: tl.constexpr):
    row = tl.program_id(axis=0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(axis=1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        depth = start + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + row[:, None] * K + depth[None, :], mask=(row[:, None] < M) & (depth[None, :] < K), other=0.0)
        q = tl.load(q_ptr + depth[:, None] * N + column[None, :], mask=(depth[:, None] < K) & (column[None, :] < N),
                    other=0)
        total = tl.dot(a, q.to(a.dtype), total)
    # A column's scale is the same for all of its sum.
    scale = tl.load(scale_ptr + column, mask=column < N, other=0.0)
    tl.store(c_ptr + row[:, None] * N + column[None, :], (total * scale[None, :]).to(c_ptr.dtype.element_ty),
             mask=(row[:, None] < M) & (column[None, :] < N))


@triton.jit
def int4_matmul_kernel(a_ptr, q_ptr, scale_ptr, c_ptr, M, N, K, GROUP: tl.constexpr, BLOCK_M: tl.constexpr,
                       BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """K is a multiple of GROUP, GROUP of BLOCK_K."""
    row = tl.program_id(axis=0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(axis=1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        depth = start + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + row[:, None] * K + depth[None, :], mask=row[:, None] < M, other=0.0)
        words = tl.load(q_ptr + (depth // 8)[:, None] * N + column[None, :], mask=column[None, :] < N, other=0)
        q = (words >> (depth % 8 * 4)[:, None]) & 0xF
        scale = tl.load(scale_ptr + start // GROUP * N + column, mask=column < N, other=0.0)
        b = (q - 8).to(tl.float32) * scale[None, :]
        total = tl.dot(a, b.to(a.dtype), total)
    tl.store(c_ptr + row[:, None] * N + column[None, :], total.to(c_ptr.dtype.element_ty),
             mask=(row[:, None] < M) & (column[None, :] < N))


def main():
    args = arguments(__doc__, m=16, n=100, k=256, group=128, bits=["8", "4"])
    data = Data(args)
    a, c = data.normal(args.m, args.k), data.empty(args.m, args.n)
    grid = (triton.cdiv(args.m, 32), triton.cdiv(args.n, 64))
    blocks = {"BLOCK_M": 32, "BLOCK_N": 64, "BLOCK_K": 64}
    if args.bits == "8":
        q = data.integers(-127, 128, args.k, args.n, dtype=np.int8)
        scale = data.uniform(0.5, 1, args.n, dtype=np.float32)
        int8_matmul_kernel[grid](a, q, scale, c, args.m, args.n, args.k, **blocks)
        weight = wide(q) * wide(scale)
    else:
        q = data.random.integers(0, 16, (args.k, args.n))
        places = (4 * np.arange(args.k) % 32)[:, None]
        words = np.bitwise_or.reduce((q << places).reshape(-1, 8, args.n), axis=1)
        words = drawloom.array(words.astype(np.uint32).view(np.int32))
        scale = data.uniform(0.5, 1, args.k // args.group, args.n, dtype=np.float32)
        int4_matmul_kernel[grid](a, words, scale, c, args.m, args.n, args.k, GROUP=args.group, **blocks)
        weight = (q - 8) * np.repeat(wide(scale), args.group, axis=0)
    return check(args, c=(c, wide(a) @ weight))


if __name__ == "__main__":
    sys.exit(main())
