# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A batch of products C[i] = A[i] B[i], the batch a grid dimension of its own.

    drawloom run examples/triton/bmm.py -- --batch 8 --m 256 --n 256 --k 128
"""
import sys

import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def bmm_kernel(a_ptr, b_ptr, c_ptr, M, N, K, batch_a, row_a, batch_b, row_b, batch_c, row_c, BLOCK_M: tl.constexpr,
               BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    blocks_n = tl.cdiv(N, BLOCK_N)
    rows = tl.program_id(axis=0) // blocks_n * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(axis=0) % blocks_n * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    # A batch may exceed 2^31 elements.
    batch = tl.program_id(axis=1).to(tl.int64)
    a = a_ptr + batch * batch_a + rows[:, None] * row_a + depth[None, :]
    b = b_ptr + batch * batch_b + depth[:, None] * row_b + columns[None, :]

    in_rows = rows[:, None] < M
    in_columns = columns[None, :] < N
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        left = K - start
        a_block = tl.load(a, mask=in_rows & (depth[None, :] < left), other=0.0)
        b_block = tl.load(b, mask=(depth[:, None] < left) & in_columns, other=0.0)
        total = tl.dot(a_block, b_block, total)
        a += BLOCK_K
        b += BLOCK_K * row_b

    c = c_ptr + batch * batch_c + rows[:, None] * row_c + columns[None, :]
    tl.store(c, total.to(c_ptr.dtype.element_ty), mask=in_rows & in_columns)


def main():
    args = arguments(__doc__, batch=4, m=256, n=256, k=128)
    data = Data(args)
    a, b = data.normal(args.batch, args.m, args.k), data.normal(args.batch, args.k, args.n)
    c = data.empty(args.batch, args.m, args.n)
    grid = (triton.cdiv(args.m, 64) * triton.cdiv(args.n, 64), args.batch)
    bmm_kernel[grid](a, b, c, args.m, args.n, args.k, *a.stride()[:2], *b.stride()[:2], *c.stride()[:2], BLOCK_M=64,
                     BLOCK_N=64, BLOCK_K=32)
    return check(args, c=(c, wide(a) @ wide(b)))


if __name__ == "__main__":
    sys.exit(main())
