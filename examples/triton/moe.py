# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A layer of experts: each token's row is multiplied by the weights of the experts it is sent to.

    drawloom run examples/triton/moe.py --check -- --tokens 50 --experts 4 --chosen 2

The (token, expert) pairs are sorted by expert, each expert's padded to whole blocks of rows, so that a program
reads the rows of one block by number and the weights of one expert.
"""
import sys

import drawloom
import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def moe_kernel(x_ptr, weight_ptr, out_ptr, sorted_ptr, expert_ptr, padded_ptr, share_ptr, pairs, N, K,
               CHOSEN: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """x is [tokens, K], the weight [experts, K, N], out [pairs, N]; pair p is of token p // CHOSEN."""
    block = tl.program_id(axis=0)
    column = tl.program_id(axis=1) * BLOCK_N + tl.arange(0, BLOCK_N)
    if block * BLOCK_M >= tl.load(padded_ptr):
        return  # the launch had room for more blocks than these experts need
    pair = tl.load(sorted_ptr + block * BLOCK_M + tl.arange(0, BLOCK_M))
    real = pair < pairs  # the others pad an expert's last block
    expert = tl.load(expert_ptr + block)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        depth = start + tl.arange(0, BLOCK_K)
        x = tl.load(x_ptr + (pair // CHOSEN)[:, None] * K + depth[None, :], mask=real[:, None] & (depth[None, :] < K),
                    other=0.0)
        weight = tl.load(weight_ptr + (expert * K + depth[:, None]) * N + column[None, :],
                         mask=(depth[:, None] < K) & (column[None, :] < N), other=0.0)
        total = tl.dot(x, weight, total)
    share = tl.load(share_ptr + pair, mask=real, other=0.0)
    out = total * share[:, None]
    tl.store(out_ptr + pair[:, None] * N + column[None, :], out.to(out_ptr.dtype.element_ty),
             mask=real[:, None] & (column[None, :] < N))


def sort_by_expert(chosen, experts, block):
    """The pairs of each expert in order, padded by the number of pairs; the expert of each block; their length.
    Arrays are as long as the worst case needs."""
    pairs = chosen.size
    room = pairs + experts * (block - 1)
    room = block * triton.cdiv(room, block)
    order, owners = np.full(room, pairs), np.zeros(room // block)
    end = 0
    for expert in range(experts):
        mine = np.flatnonzero(chosen.reshape(-1) == expert)
        order[end:end + mine.size] = mine
        after = end + block * triton.cdiv(mine.size, block)
        owners[end // block:after // block] = expert
        end = after
    return [drawloom.array(values, np.int32) for values in (order, owners, np.array([end]))]


def main():
    args = arguments(__doc__, tokens=50, experts=4, chosen=2, n=64, k=64)
    data = Data(args)
    x = data.normal(args.tokens, args.k)
    weight = data.normal(args.experts, args.k, args.n)
    chosen = np.array([data.random.permutation(args.experts)[:args.chosen] for _ in range(args.tokens)])
    share = data.uniform(0.2, 1, chosen.size, dtype=np.float32)
    out = data.empty(chosen.size, args.n)
    order, owners, length = sort_by_expert(chosen, args.experts, 32)
    moe_kernel[(owners.size, triton.cdiv(args.n, 64))](x, weight, out, order, owners, length, share, chosen.size,
                                                       args.n, args.k, CHOSEN=args.chosen, BLOCK_M=32, BLOCK_N=64,
                                                       BLOCK_K=32)

    rows = np.repeat(wide(x), args.chosen, axis=0)
    expected = np.einsum("pk,pkn->pn", rows, wide(weight)[chosen.reshape(-1)]) * wide(share)[:, None]
    return check(args, out=(out, expected))


if __name__ == "__main__":
    sys.exit(main())
