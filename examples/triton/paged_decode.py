# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one new query to a past kept in pages, which a table of each sequence names.

    drawloom run examples/triton/paged_decode.py --check -- --batch 3 --heads 32 --kv-heads 2 --positions 200
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def paged_decode_kernel(q_ptr, k_ptr, v_ptr, table_ptr, lengths_ptr, out_ptr, table_length, kv_heads, scale,
                        PAGE: tl.constexpr, GROUP: tl.constexpr, HEAD_DIM: tl.constexpr):
    """q is [batch, kv_heads, GROUP, HEAD_DIM], k and v [pages, kv_heads, PAGE, HEAD_DIM]."""
    batch = tl.program_id(axis=0)
    kv_head = tl.program_id(axis=1)
    length = tl.load(lengths_ptr + batch)
    head = (batch * kv_heads + kv_head) * GROUP + tl.arange(0, GROUP)
    lane = tl.arange(0, HEAD_DIM)
    place = tl.arange(0, PAGE)
    q = tl.load(q_ptr + head[:, None] * HEAD_DIM + lane[None, :])
    total = tl.zeros((GROUP, HEAD_DIM), dtype=tl.float32)
    sums = tl.zeros((GROUP, ), dtype=tl.float32)
    largest = tl.full((GROUP, ), -float("inf"), dtype=tl.float32)
    for i in range(0, tl.cdiv(length, PAGE)):
        page = tl.load(table_ptr + batch * table_length + i)
        inside = i * PAGE + place < length
        offsets = ((page * kv_heads + kv_head) * PAGE + place[:, None]) * HEAD_DIM + lane[None, :]
        k = tl.load(k_ptr + offsets, mask=inside[:, None], other=0.0)
        v = tl.load(v_ptr + offsets, mask=inside[:, None], other=0.0)
        scores = tl.where(inside[None, :], tl.dot(q, tl.trans(k)) * scale, -float("inf"))
        larger = tl.maximum(largest, tl.max(scores, axis=1))
        p = tl.exp(scores - larger[:, None])
        shrink = tl.exp(largest - larger)
        sums = sums * shrink + tl.sum(p, axis=1)
        total = tl.dot(p.to(v.dtype), v, total * shrink[:, None])
        largest = larger
    out = total / sums[:, None]
    tl.store(out_ptr + head[:, None] * HEAD_DIM + lane[None, :], out.to(out_ptr.dtype.element_ty))


def main():
    args = arguments(__doc__, batch=3, heads=32, kv_heads=2, positions=100, head_dim=64, page=32)
    data = Data(args)
    group = args.heads // args.kv_heads
    table_length = triton.cdiv(args.positions, args.page)
    pages = args.batch * table_length
    q, out = (make(args.batch, args.kv_heads, group, args.head_dim) for make in (data.normal, data.empty))
    k, v = (data.normal(pages, args.kv_heads, args.page, args.head_dim) for _ in range(2))
    table = data.integers(0, 1, args.batch, table_length)
    table[:] = data.random.permutation(pages).reshape(table.shape)
    lengths = data.integers(1, args.positions + 1, args.batch)
    paged_decode_kernel[(args.batch, args.kv_heads)](q, k, v, table, lengths, out, table_length, args.kv_heads,
                                                     args.head_dim**-0.5, PAGE=args.page, GROUP=group,
                                                     HEAD_DIM=args.head_dim)

    def gather(cache):
        """[batch, kv_heads, positions of whole pages, head_dim]"""
        picked = wide(cache)[np.asarray(table)].swapaxes(1, 2)
        return picked.reshape(args.batch, args.kv_heads, -1, args.head_dim)

    scores = args.head_dim**-0.5 * wide(q) @ gather(k).swapaxes(2, 3)
    p = np.where(np.arange(scores.shape[3]) < lengths[:, None, None, None], np.exp(scores), 0)
    return check(args, roundings=2, out=(out, p @ gather(v) / p.sum(axis=3, keepdims=True)))


if __name__ == "__main__":
    sys.exit(main())
