# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mamba's convolution: along time, causal, each channel by itself, then silu.

    drawloom run examples/triton/causal_conv1d.py --check -- --length 100 --channels 70
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def causal_conv1d_kernel(x_ptr, weight_ptr, bias_ptr, y_ptr, length, channels, TAPS: tl.constexpr,
                         BLOCK_T: tl.constexpr, BLOCK_C: tl.constexpr):
    """x and y are [batch, length, channels], the weight [TAPS, channels]."""
    time = tl.program_id(axis=0) * BLOCK_T + tl.arange(0, BLOCK_T)
    channel = tl.program_id(axis=1) * BLOCK_C + tl.arange(0, BLOCK_C)
    start = tl.program_id(axis=2) * length
    total = tl.zeros((BLOCK_T, BLOCK_C), dtype=tl.float32)
    total += tl.load(bias_ptr + channel, mask=channel < channels, other=0.0).to(tl.float32)[None, :]
    for tap in tl.static_range(TAPS):
        # Before time 0 there is silence: the mask's lower bound keeps each sequence to itself.
        past = time + tap - (TAPS - 1)
        mask = (past[:, None] >= 0) & (past[:, None] < length) & (channel[None, :] < channels)
        x = tl.load(x_ptr + (start + past[:, None]) * channels + channel[None, :], mask=mask, other=0.0)
        weight = tl.load(weight_ptr + tap * channels + channel, mask=channel < channels, other=0.0)
        total += x.to(tl.float32) * weight.to(tl.float32)[None, :]
    y = total * tl.sigmoid(total)
    tl.store(y_ptr + (start + time[:, None]) * channels + channel[None, :], y.to(y_ptr.dtype.element_ty),
             mask=(time[:, None] < length) & (channel[None, :] < channels))


def main():
    args = arguments(__doc__, batch=2, length=100, channels=70, taps=4)
    data = Data(args)
    x = data.normal(args.batch, args.length, args.channels)
    weight, bias = data.normal(args.taps, args.channels), data.normal(args.channels)
    y = data.empty(*x.shape)
    grid = (triton.cdiv(args.length, 32), triton.cdiv(args.channels, 64), args.batch)
    causal_conv1d_kernel[grid](x, weight, bias, y, args.length, args.channels, TAPS=args.taps, BLOCK_T=32, BLOCK_C=64)

    padded = np.pad(wide(x), ((0, 0), (args.taps - 1, 0), (0, 0)))
    total = wide(bias) + sum(padded[:, tap:tap + args.length] * wide(weight)[tap] for tap in range(args.taps))
    return check(args, y=(y, total / (1 + np.exp(-total))))


if __name__ == "__main__":
    sys.exit(main())
