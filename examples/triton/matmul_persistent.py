# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product by as many programs as there are cores, each taking every so-many-th tile of the result.

    drawloom run examples/triton/matmul_persistent.py --check -- --m 256 --n 512 --k 128
"""
import sys

import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def matmul_persistent_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                             BLOCK_K: tl.constexpr, GROUP: tl.constexpr):
    across = tl.cdiv(N, BLOCK_N)
    down = tl.cdiv(M, BLOCK_M)
    for tile in tl.range(tl.program_id(axis=0), down * across, tl.num_programs(axis=0)):
        # Tiles go down GROUP rows of tiles before the next column, so that neighbours in time share operands.
        first = tile // (GROUP * across) * GROUP
        height = tl.minimum(down - first, GROUP)
        tile_row = first + tile % (GROUP * across) % height
        tile_column = tile % (GROUP * across) // height
        row = tile_row * BLOCK_M + tl.arange(0, BLOCK_M)
        column = tile_column * BLOCK_N + tl.arange(0, BLOCK_N)
        total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for start in range(0, K, BLOCK_K):
            depth = start + tl.arange(0, BLOCK_K)
            a = tl.load(a_ptr + row[:, None] * K + depth[None, :], mask=(row[:, None] < M) & (depth[None, :] < K),
                        other=0.0)
            b = tl.load(b_ptr + depth[:, None] * N + column[None, :],
                        mask=(depth[:, None] < K) & (column[None, :] < N), other=0.0)
            total = tl.dot(a, b, total)
        tl.store(c_ptr + row[:, None] * N + column[None, :], total.to(c_ptr.dtype.element_ty),
                 mask=(row[:, None] < M) & (column[None, :] < N))


def main():
    args = arguments(__doc__, m=256, n=320, k=96, programs=8)
    data = Data(args)
    a, b, c = data.normal(args.m, args.k), data.normal(args.k, args.n), data.empty(args.m, args.n)
    matmul_persistent_kernel[(args.programs, )](a, b, c, args.m, args.n, args.k, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32,
                                                GROUP=2)
    return check(args, c=(c, wide(a) @ wide(b)))


if __name__ == "__main__":
    sys.exit(main())
