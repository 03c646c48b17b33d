# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = A B^T through tensor descriptors made in the kernel; B is stored N x K.

    drawloom run examples/triton/matmul_descriptor.py -- --m 1024 --n 1024 --k 1024
"""
import sys

import triton
import triton.language as tl
from common import Data, arguments, check, wide


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
    c.store([row, column], total.to(c_ptr.dtype.element_ty))


def main():
    args = arguments(__doc__, m=512, n=512, k=512)
    data = Data(args)
    a, b, c = data.normal(args.m, args.k), data.normal(args.n, args.k), data.empty(args.m, args.n)
    grid = (triton.cdiv(args.m, 128) * triton.cdiv(args.n, 128), )
    matmul_descriptor_kernel[grid](a, b, c, args.m, args.n, args.k, BLOCK_M=128, BLOCK_N=128, BLOCK_K=64)
    return check(args, c=(c, wide(a) @ wide(b).T))


if __name__ == "__main__":
    sys.exit(main())
