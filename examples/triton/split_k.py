# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product whose sums are split over programs: added up by a second kernel, or by atomics.

    drawloom run examples/triton/split_k.py --check -- --m 64 --n 64 --k 2048 --atomic
"""
import sys

import drawloom
import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def split_k_kernel(a_ptr, b_ptr, parts_ptr, M, N, K, share, ATOMIC: tl.constexpr, BLOCK_M: tl.constexpr,
                   BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """Program (.., .., s) multiplies columns s * share to (s + 1) * share of A by those rows of B."""
    row = tl.program_id(axis=0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(axis=1) * BLOCK_N + tl.arange(0, BLOCK_N)
    part = tl.program_id(axis=2)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, share, BLOCK_K):
        depth = part * share + start + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + row[:, None] * K + depth[None, :], mask=(row[:, None] < M) & (depth[None, :] < K), other=0.0)
        b = tl.load(b_ptr + depth[:, None] * N + column[None, :], mask=(depth[:, None] < K) & (column[None, :] < N),
                    other=0.0)
        total = tl.dot(a, b, total)
    mask = (row[:, None] < M) & (column[None, :] < N)
    if ATOMIC:
        tl.atomic_add(parts_ptr + row[:, None] * N + column[None, :], total, mask=mask)
    else:
        tl.store(parts_ptr + (part * M + row[:, None]) * N + column[None, :], total, mask=mask)


@triton.jit
def add_parts_kernel(parts_ptr, c_ptr, parts, size, BLOCK: tl.constexpr):
    lane = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, ), dtype=tl.float32)
    for part in range(parts):
        total += tl.load(parts_ptr + part * size + lane, mask=lane < size, other=0.0)
    tl.store(c_ptr + lane, total.to(c_ptr.dtype.element_ty), mask=lane < size)


def main():
    args = arguments(__doc__, m=64, n=64, k=512, parts=4, atomic=False)
    data = Data(args)
    a, b = data.normal(args.m, args.k), data.normal(args.k, args.n)
    c = data.empty(args.m, args.n)
    share = 32 * triton.cdiv(args.k, 32 * args.parts)  # whole blocks
    grid = (triton.cdiv(args.m, 64), triton.cdiv(args.n, 64), args.parts)
    constants = {"ATOMIC": args.atomic, "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32}
    if args.atomic:
        c = drawloom.array(np.zeros(c.shape, np.float32))  # where the sums start
        split_k_kernel[grid](a, b, c, args.m, args.n, args.k, share, **constants)
    else:
        parts = data.empty(args.parts, args.m, args.n, dtype=np.float32)
        split_k_kernel[grid](a, b, parts, args.m, args.n, args.k, share, **constants)
        add_parts_kernel[(triton.cdiv(c.size, 1024), )](parts, c, args.parts, c.size, BLOCK=1024)
    return check(args, c=(c, wide(a) @ wide(b)))


if __name__ == "__main__":
    sys.exit(main())
