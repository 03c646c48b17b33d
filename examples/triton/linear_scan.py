# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linear recurrence h_t = a_t h_(t-1) + b_t along the rows, by an associative scan of pairs.

    drawloom run examples/triton/linear_scan.py --check -- --steps 100 --channels 70
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def compose(a_first, b_first, a_then, b_then):
    """h -> a h + b twice is such a step again."""
    return a_first * a_then, b_first * a_then + b_then


@triton.jit
def linear_scan_kernel(a_ptr, b_ptr, h_ptr, steps, channels, BLOCK_T: tl.constexpr, BLOCK_C: tl.constexpr):
    channel = tl.program_id(axis=0) * BLOCK_C + tl.arange(0, BLOCK_C)
    before = tl.zeros((BLOCK_C, ), dtype=tl.float32)
    for start in range(0, steps, BLOCK_T):
        step = start + tl.arange(0, BLOCK_T)
        mask = (step[:, None] < steps) & (channel[None, :] < channels)
        offsets = step[:, None] * channels + channel[None, :]
        # Steps past the end keep h as it is, so that the last row carries on.
        a = tl.load(a_ptr + offsets, mask=mask, other=1.0).to(tl.float32)
        b = tl.load(b_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
        products, sums = tl.associative_scan((a, b), 0, compose)
        h = products * before[None, :] + sums
        tl.store(h_ptr + offsets, h.to(h_ptr.dtype.element_ty), mask=mask)
        last = tl.arange(0, BLOCK_T)[:, None] == BLOCK_T - 1
        before = tl.sum(tl.where(last, h, 0.0), axis=0)


def main():
    args = arguments(__doc__, steps=100, channels=70, block=64)
    data = Data(args)
    a, b = data.uniform(0.5, 1, args.steps, args.channels), data.normal(args.steps, args.channels)
    h = data.empty(args.steps, args.channels)
    linear_scan_kernel[(triton.cdiv(args.channels, 32), )](a, b, h, args.steps, args.channels, BLOCK_T=args.block,
                                                           BLOCK_C=32)

    expected, state = np.empty(h.shape), np.zeros(args.channels)
    for step in range(args.steps):
        expected[step] = state = wide(a)[step] * state + wide(b)[step]
    return check(args, h=(h, expected))


if __name__ == "__main__":
    sys.exit(main())
