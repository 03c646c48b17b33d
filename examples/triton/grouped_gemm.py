# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of groups of rows, each with the weights of its group: how many rows a group has, memory says.

    drawloom run examples/triton/grouped_gemm.py --check -- --rows 100 --groups 4

All groups' tiles are numbered, and each program takes every so-manieth: it walks the groups, and in each the
tiles that are its own, with a `while` whose end depends on the sizes read so far.
"""
import sys

import drawloom
import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def grouped_gemm_kernel(a_ptr, b_ptr, c_ptr, sizes_ptr, groups, N, K, PROGRAMS: tl.constexpr, BLOCK_M: tl.constexpr,
                        BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """a is [rows, K] and c [rows, N], group after group; b is [groups, K, N]."""
    tile = tl.program_id(axis=0)
    across = tl.cdiv(N, BLOCK_N)
    end = 0  # of the tiles of the groups before
    first = 0  # row of the group
    for group in range(groups):
        rows = tl.load(sizes_ptr + group)
        tiles = tl.cdiv(rows, BLOCK_M) * across
        while tile >= end and tile < end + tiles:
            in_group = (tile - end) // across * BLOCK_M + tl.arange(0, BLOCK_M)
            column = (tile - end) % across * BLOCK_N + tl.arange(0, BLOCK_N)
            row = first + in_group
            total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
            for start in range(0, K, BLOCK_K):
                depth = start + tl.arange(0, BLOCK_K)
                a = tl.load(a_ptr + row[:, None] * K + depth[None, :],
                            mask=(in_group[:, None] < rows) & (depth[None, :] < K), other=0.0)
                b = tl.load(b_ptr + (group * K + depth[:, None]) * N + column[None, :],
                            mask=(depth[:, None] < K) & (column[None, :] < N), other=0.0)
                total = tl.dot(a, b, total)
            tl.store(c_ptr + row[:, None] * N + column[None, :], total.to(c_ptr.dtype.element_ty),
                     mask=(in_group[:, None] < rows) & (column[None, :] < N))
            tile += PROGRAMS
        end += tiles
        first += rows


def main():
    args = arguments(__doc__, rows=100, groups=4, n=64, k=64, programs=6)
    data = Data(args)
    ends = np.sort(data.random.integers(0, args.rows + 1, args.groups - 1))
    sizes = np.diff(np.concatenate([[0], ends, [args.rows]]))
    a, b = data.normal(args.rows, args.k), data.normal(args.groups, args.k, args.n)
    c = data.empty(args.rows, args.n)
    grouped_gemm_kernel[(args.programs, )](a, b, c, drawloom.array(sizes, np.int32), args.groups, args.n, args.k,
                                           PROGRAMS=args.programs, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32)

    owners = np.repeat(np.arange(args.groups), sizes)
    expected = np.einsum("rk,rkn->rn", wide(a), wide(b)[owners])
    return check(args, c=(c, expected))


if __name__ == "__main__":
    sys.exit(main())
