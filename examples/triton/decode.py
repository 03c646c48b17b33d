# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one new query to each sequence's past: programs take a share of the keys, a second kernel joins them.

    drawloom run examples/triton/decode.py --check -- --batch 3 --heads 32 --kv-heads 2 --positions 500

The sequences' lengths are read from memory. The heads that share keys form the rows of a tile.
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def decode_kernel(q_ptr, k_ptr, v_ptr, lengths_ptr, part_ptr, lse_ptr, positions, kv_heads, scale,
                  SHARE: tl.constexpr, SPLITS: tl.constexpr, GROUP: tl.constexpr, BLOCK_N: tl.constexpr,
                  HEAD_DIM: tl.constexpr):
    """q is [batch, kv_heads, GROUP, HEAD_DIM], k and v [batch, kv_heads, positions, HEAD_DIM]."""
    batch = tl.program_id(axis=0)
    kv_head = tl.program_id(axis=1)
    split = tl.program_id(axis=2)
    first = split * SHARE
    last = tl.minimum(first + SHARE, tl.load(lengths_ptr + batch))
    if first >= last:
        return  # a short sequence: the second kernel knows as well
    head = (batch * kv_heads + kv_head) * GROUP + tl.arange(0, GROUP)
    start = (batch * kv_heads + kv_head) * positions
    lane = tl.arange(0, HEAD_DIM)
    q = tl.load(q_ptr + head[:, None] * HEAD_DIM + lane[None, :])
    total = tl.zeros((GROUP, HEAD_DIM), dtype=tl.float32)
    sums = tl.zeros((GROUP, ), dtype=tl.float32)
    largest = tl.full((GROUP, ), -float("inf"), dtype=tl.float32)
    for begin in range(first, last, BLOCK_N):
        key = begin + tl.arange(0, BLOCK_N)
        offsets = (start + key[:, None]) * HEAD_DIM + lane[None, :]
        k = tl.load(k_ptr + offsets, mask=key[:, None] < last, other=0.0)
        v = tl.load(v_ptr + offsets, mask=key[:, None] < last, other=0.0)
        scores = tl.where(key[None, :] < last, tl.dot(q, tl.trans(k)) * scale, -float("inf"))
        larger = tl.maximum(largest, tl.max(scores, axis=1))
        p = tl.exp(scores - larger[:, None])
        shrink = tl.exp(largest - larger)
        sums = sums * shrink + tl.sum(p, axis=1)
        total = tl.dot(p.to(v.dtype), v, total * shrink[:, None])
        largest = larger
    tl.store(part_ptr + (head[:, None] * SPLITS + split) * HEAD_DIM + lane[None, :], total / sums[:, None])
    tl.store(lse_ptr + head * SPLITS + split, largest + tl.log(sums))


@triton.jit
def join_kernel(part_ptr, lse_ptr, lengths_ptr, out_ptr, heads, SHARE: tl.constexpr, SPLITS: tl.constexpr,
                HEAD_DIM: tl.constexpr):
    """A head a program: its parts, weighted by their sums of exponentials."""
    head = tl.program_id(axis=0)
    split = tl.arange(0, SPLITS)
    lane = tl.arange(0, HEAD_DIM)
    made = split * SHARE < tl.load(lengths_ptr + head // heads)
    lse = tl.load(lse_ptr + head * SPLITS + split, mask=made, other=-float("inf"))
    weight = tl.exp(lse - tl.max(lse, axis=0))
    part = tl.load(part_ptr + (head * SPLITS + split[:, None]) * HEAD_DIM + lane[None, :], mask=made[:, None], other=0.0)
    out = tl.sum(part * weight[:, None], axis=0) / tl.sum(weight, axis=0)
    tl.store(out_ptr + head * HEAD_DIM + lane, out.to(out_ptr.dtype.element_ty))


def main():
    args = arguments(__doc__, batch=3, heads=32, kv_heads=2, positions=200, head_dim=64, splits=4)
    data = Data(args)
    group = args.heads // args.kv_heads
    q = data.normal(args.batch, args.kv_heads, group, args.head_dim)
    k, v = (data.normal(args.batch, args.kv_heads, args.positions, args.head_dim) for _ in range(2))
    lengths = data.integers(1, args.positions + 1, args.batch)
    out = data.empty(*q.shape)
    part = data.empty(args.batch, args.heads, args.splits, args.head_dim, dtype=np.float32)
    lse = data.empty(args.batch, args.heads, args.splits, dtype=np.float32)
    share = 32 * triton.cdiv(args.positions, 32 * args.splits)  # whole blocks
    shape = {"SHARE": share, "SPLITS": args.splits, "HEAD_DIM": args.head_dim}
    decode_kernel[(args.batch, args.kv_heads, args.splits)](q, k, v, lengths, part, lse, args.positions, args.kv_heads,
                                                            args.head_dim**-0.5, GROUP=group, BLOCK_N=32, **shape)
    join_kernel[(args.batch * args.heads, )](part, lse, lengths, out, args.heads, **shape)

    scores = args.head_dim**-0.5 * wide(q) @ wide(k).swapaxes(2, 3)
    p = np.where(np.arange(args.positions) < lengths[:, None, None, None], np.exp(scores), 0)
    return check(args, roundings=2, out=(out, p @ wide(v) / p.sum(axis=3, keepdims=True)))


if __name__ == "__main__":
    sys.exit(main())
