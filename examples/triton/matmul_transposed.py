# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = op(A) op(B), where either operand may be stored transposed.

The kernel is one and the same: a transposed operand is a view whose strides are
swapped, so its blocks are read along the other axis.

    drawloom run examples/triton/matmul_transposed.py -- --ta --tb
"""
import sys

import triton
import triton.language as tl
from common import Data, arguments, check, wide


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

    tl.store(c_ptr + rows[:, None] * stride_cm + columns[None, :], total.to(c_ptr.dtype.element_ty),
             mask=in_rows & in_columns)


def operand(data, rows, columns, transposed):
    """A rows x columns matrix; if transposed, a view of one stored columns x rows."""
    return data.normal(columns, rows).T if transposed else data.normal(rows, columns)


def main():
    args = arguments(__doc__, m=512, n=512, k=512, ta=False, tb=False)  # which operand is stored transposed
    data = Data(args)
    a, b = operand(data, args.m, args.k, args.ta), operand(data, args.k, args.n, args.tb)
    c = data.empty(args.m, args.n)
    grid = (triton.cdiv(args.m, 128), triton.cdiv(args.n, 128))
    matmul_strided_kernel[grid](a, b, c, args.m, args.n, args.k, *a.stride(), *b.stride(), c.stride(0), BLOCK_M=128,
                                BLOCK_N=128, BLOCK_K=64)
    return check(args, c=(c, wide(a) @ wide(b)))


if __name__ == "__main__":
    sys.exit(main())
