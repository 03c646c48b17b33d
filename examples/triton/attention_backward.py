# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of causal or full attention: of the keys and values by one kernel, of the queries by another.

    drawloom run examples/triton/attention_backward.py --check -- --causal --positions 200

The probabilities are made again from the forward pass's log-sum-exp instead of being kept.
"""
import sys

import drawloom
import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def delta_kernel(out_ptr, dout_ptr, delta_ptr, rows, BLOCK_M: tl.constexpr, HEAD_DIM: tl.constexpr):
    """delta = sum(out * dout) of each row, which both other kernels subtract."""
    row = tl.program_id(axis=0) * BLOCK_M + tl.arange(0, BLOCK_M)
    offsets = row[:, None] * HEAD_DIM + tl.arange(0, HEAD_DIM)[None, :]
    out = tl.load(out_ptr + offsets, mask=row[:, None] < rows, other=0.0).to(tl.float32)
    dout = tl.load(dout_ptr + offsets, mask=row[:, None] < rows, other=0.0).to(tl.float32)
    tl.store(delta_ptr + row, tl.sum(out * dout, axis=1), mask=row < rows)


@triton.jit
def keys_values_kernel(q_ptr, k_ptr, v_ptr, dout_ptr, lse_ptr, delta_ptr, dk_ptr, dv_ptr, positions, scale,
                       CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD_DIM: tl.constexpr):
    """A program has a block of keys and walks the queries that see it."""
    block = tl.program_id(axis=0)
    start = tl.program_id(axis=1) * positions
    key = block * BLOCK_N + tl.arange(0, BLOCK_N)
    lane = tl.arange(0, HEAD_DIM)
    at_key = (start + key[:, None]) * HEAD_DIM + lane[None, :]
    k = tl.load(k_ptr + at_key, mask=key[:, None] < positions, other=0.0)
    v = tl.load(v_ptr + at_key, mask=key[:, None] < positions, other=0.0)
    dk = tl.zeros((BLOCK_N, HEAD_DIM), dtype=tl.float32)
    dv = tl.zeros((BLOCK_N, HEAD_DIM), dtype=tl.float32)
    first = block * BLOCK_N if CAUSAL else 0
    for begin in range(first, positions, BLOCK_M):
        row = begin + tl.arange(0, BLOCK_M)
        at_row = (start + row[:, None]) * HEAD_DIM + lane[None, :]
        q = tl.load(q_ptr + at_row, mask=row[:, None] < positions, other=0.0)
        dout = tl.load(dout_ptr + at_row, mask=row[:, None] < positions, other=0.0)
        lse = tl.load(lse_ptr + start + row, mask=row < positions, other=0.0)
        delta = tl.load(delta_ptr + start + row, mask=row < positions, other=0.0)
        p = tl.exp(tl.dot(q, tl.trans(k)) * scale - lse[:, None])
        if CAUSAL:
            p = tl.where(row[:, None] >= key[None, :], p, 0.0)
        dv += tl.dot(tl.trans(p.to(dout.dtype)), dout)
        ds = p * (tl.dot(dout, tl.trans(v)) - delta[:, None]) * scale
        dk += tl.dot(tl.trans(ds.to(q.dtype)), q)
    tl.store(dk_ptr + at_key, dk.to(dk_ptr.dtype.element_ty), mask=key[:, None] < positions)
    tl.store(dv_ptr + at_key, dv.to(dv_ptr.dtype.element_ty), mask=key[:, None] < positions)


@triton.jit
def queries_kernel(q_ptr, k_ptr, v_ptr, dout_ptr, lse_ptr, delta_ptr, dq_ptr, positions, scale, CAUSAL: tl.constexpr,
                   BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD_DIM: tl.constexpr):
    """A program has a block of queries and walks the keys they see."""
    block = tl.program_id(axis=0)
    start = tl.program_id(axis=1) * positions
    row = block * BLOCK_M + tl.arange(0, BLOCK_M)
    lane = tl.arange(0, HEAD_DIM)
    at_row = (start + row[:, None]) * HEAD_DIM + lane[None, :]
    q = tl.load(q_ptr + at_row, mask=row[:, None] < positions, other=0.0)
    dout = tl.load(dout_ptr + at_row, mask=row[:, None] < positions, other=0.0)
    lse = tl.load(lse_ptr + start + row, mask=row < positions, other=0.0)
    delta = tl.load(delta_ptr + start + row, mask=row < positions, other=0.0)
    dq = tl.zeros((BLOCK_M, HEAD_DIM), dtype=tl.float32)
    last = tl.minimum((block + 1) * BLOCK_M, positions) if CAUSAL else positions
    for begin in range(0, last, BLOCK_N):
        key = begin + tl.arange(0, BLOCK_N)
        at_key = (start + key[:, None]) * HEAD_DIM + lane[None, :]
        k = tl.load(k_ptr + at_key, mask=key[:, None] < positions, other=0.0)
        v = tl.load(v_ptr + at_key, mask=key[:, None] < positions, other=0.0)
        p = tl.exp(tl.dot(q, tl.trans(k)) * scale - lse[:, None])
        if CAUSAL:
            p = tl.where(row[:, None] >= key[None, :], p, 0.0)
        # Keys past the end are 0, and so is what they add.
        ds = p * (tl.dot(dout, tl.trans(v)) - delta[:, None]) * scale
        dq += tl.dot(ds.to(k.dtype), k)
    tl.store(dq_ptr + at_row, dq.to(dq_ptr.dtype.element_ty), mask=row[:, None] < positions)


def main():
    args = arguments(__doc__, heads=2, positions=100, head_dim=64, causal=False)
    data = Data(args)
    shape = (args.heads, args.positions, args.head_dim)
    q, k, v, dout = (data.normal(*shape) for _ in range(4))
    scale = args.head_dim**-0.5
    scores = scale * wide(q) @ wide(k).swapaxes(1, 2)
    if args.causal:
        scores = np.where(np.tri(args.positions, dtype=bool), scores, -np.inf)
    sums = np.exp(scores).sum(axis=2, keepdims=True)
    p = np.exp(scores) / sums
    out, lse = drawloom.array(p @ wide(v), data.dtype), drawloom.array(np.log(sums[..., 0]), np.float32)

    delta = data.empty(*shape[:2], dtype=np.float32)
    dq, dk, dv = (data.empty(*shape) for _ in range(3))
    blocks = {"BLOCK_M": 32, "HEAD_DIM": args.head_dim}
    delta_kernel[(triton.cdiv(delta.size, 32), )](out, dout, delta, delta.size, **blocks)
    grid = (triton.cdiv(args.positions, 32), args.heads)
    common = {"CAUSAL": args.causal, "BLOCK_N": 32, **blocks}
    keys_values_kernel[grid](q, k, v, dout, lse, delta, dk, dv, args.positions, scale, **common)
    queries_kernel[grid](q, k, v, dout, lse, delta, dq, args.positions, scale, **common)

    dp = wide(dout) @ wide(v).swapaxes(1, 2)
    ds = p * (dp - (p * dp).sum(axis=2, keepdims=True)) * scale
    return check(args, roundings=3, dq=(dq, ds @ wide(k)), dk=(dk, ds.swapaxes(1, 2) @ wide(q)),
                 dv=(dv, p.swapaxes(1, 2) @ wide(dout)))


if __name__ == "__main__":
    sys.exit(main())
