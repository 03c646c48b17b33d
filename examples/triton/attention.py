# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention over all keys or, with --causal, those up to the query's own position; keys may serve several heads.

    drawloom run examples/triton/attention.py --check -- --causal --heads 4 --kv-heads 2 --positions 200

The softmax is online: keys arrive in blocks, and the sums so far are scaled down at each larger maximum. Its
log-sum-exp is kept for the backward pass.
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def attend(total, sums, largest, q, k_ptr, v_ptr, row, positions, head_dim, scale, first, last, MASKED: tl.constexpr,
           BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr):
    """Adds the keys in [first, last). `scale` has the factor log2(e), as 2**x is cheaper than e**x."""
    lane = tl.arange(0, BLOCK_D)
    for start in range(first, last, BLOCK_N):
        key = start + tl.arange(0, BLOCK_N)
        inside = (key[:, None] < positions) & (lane[None, :] < head_dim)
        k = tl.load(k_ptr + key[:, None] * head_dim + lane[None, :], mask=inside, other=0.0)
        v = tl.load(v_ptr + key[:, None] * head_dim + lane[None, :], mask=inside, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        scores = tl.where(key[None, :] < positions, scores, -float("inf"))
        if MASKED:
            scores = tl.where(row[:, None] >= key[None, :], scores, -float("inf"))
        larger = tl.maximum(largest, tl.max(scores, axis=1))
        p = tl.exp2(scores - larger[:, None])
        shrink = tl.exp2(largest - larger)
        sums = sums * shrink + tl.sum(p, axis=1)
        total = tl.dot(p.to(v.dtype), v, total * shrink[:, None])
        largest = larger
    return total, sums, largest


@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, positions, head_dim, heads, kv_heads, scale,
                     CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr):
    """q and out are [batch, heads, positions, head_dim], k and v [batch, kv_heads, positions, head_dim]."""
    block = tl.program_id(axis=0)
    batch = tl.program_id(axis=1) // heads
    head = tl.program_id(axis=1) % heads
    start = (batch * heads + head) * positions
    kv_start = (batch * kv_heads + head // (heads // kv_heads)) * positions
    row = block * BLOCK_M + tl.arange(0, BLOCK_M)
    lane = tl.arange(0, BLOCK_D)
    inside = (row[:, None] < positions) & (lane[None, :] < head_dim)
    offsets = (start + row[:, None]) * head_dim + lane[None, :]
    q = tl.load(q_ptr + offsets, mask=inside, other=0.0)
    k_ptr += kv_start * head_dim
    v_ptr += kv_start * head_dim
    total = tl.zeros((BLOCK_M, BLOCK_D), dtype=tl.float32)
    sums = tl.zeros((BLOCK_M, ), dtype=tl.float32)
    largest = tl.full((BLOCK_M, ), -float("inf"), dtype=tl.float32)
    if CAUSAL:
        # Blocks before the diagonal need no comparison of positions.
        total, sums, largest = attend(total, sums, largest, q, k_ptr, v_ptr, row, positions, head_dim, scale, 0,
                                      block * BLOCK_M, False, BLOCK_N, BLOCK_D)
        total, sums, largest = attend(total, sums, largest, q, k_ptr, v_ptr, row, positions, head_dim, scale,
                                      block * BLOCK_M, tl.minimum((block + 1) * BLOCK_M, positions), True, BLOCK_N,
                                      BLOCK_D)
    else:
        total, sums, largest = attend(total, sums, largest, q, k_ptr, v_ptr, row, positions, head_dim, scale, 0,
                                      positions, False, BLOCK_N, BLOCK_D)
    out = total / sums[:, None]
    tl.store(out_ptr + offsets, out.to(out_ptr.dtype.element_ty), mask=inside)
    tl.store(lse_ptr + start + row, 0.6931471805599453 * (largest + tl.log2(sums)), mask=row < positions)


def main():
    args = arguments(__doc__, batch=1, heads=2, kv_heads=1, positions=100, head_dim=64, causal=False)
    data = Data(args)
    q = data.normal(args.batch, args.heads, args.positions, args.head_dim)
    k, v = (data.normal(args.batch, args.kv_heads, args.positions, args.head_dim) for _ in range(2))
    out, lse = data.empty(*q.shape), data.empty(*q.shape[:3], dtype=np.float32)
    scale = args.head_dim**-0.5
    # Each block of keys pays once for the maximum and the sums so far: many keys, wide blocks.
    block_m, block_n = (128, 128) if args.positions >= 1024 else (64, 32)
    attention_kernel[(triton.cdiv(args.positions, block_m), args.batch * args.heads)](
        q, k, v, out, lse, args.positions, args.head_dim, args.heads, args.kv_heads, scale * 1.4426950408889634,
        CAUSAL=args.causal, BLOCK_M=block_m, BLOCK_N=block_n, BLOCK_D=triton.next_power_of_2(args.head_dim))

    keys, values = (np.repeat(wide(x), args.heads // args.kv_heads, axis=1) for x in (k, v))
    scores = scale * wide(q) @ keys.swapaxes(2, 3)
    if args.causal:
        scores = np.where(np.tri(args.positions, dtype=bool), scores, -np.inf)
    p = np.exp(scores)
    sums = p.sum(axis=3)
    return check(args, roundings=2, out=(out, p @ values / sums[..., None]), lse=(lse, np.log(sums)))


if __name__ == "__main__":
    sys.exit(main())
