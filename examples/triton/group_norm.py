# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Group normalisation of images [batch, channels, pixels]: a group of channels a program.

    drawloom run examples/triton/group_norm.py --check -- --channels 128 --groups 4 --pixels 100
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def group_norm_kernel(x_ptr, weight_ptr, bias_ptr, y_ptr, channels, pixels, size, eps, BLOCK_C: tl.constexpr,
                      BLOCK_P: tl.constexpr):
    """`size` channels form a group."""
    image = tl.program_id(axis=0)
    group = tl.program_id(axis=1)
    member = tl.arange(0, BLOCK_C)
    pixel = tl.arange(0, BLOCK_P)
    channel = group * size + member
    mask = (member[:, None] < size) & (pixel[None, :] < pixels)
    offsets = (image * channels + channel[:, None]) * pixels + pixel[None, :]
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(tl.sum(x, axis=1), axis=0) / (size * pixels)
    centred = tl.where(mask, x - mean, 0.0)
    variance = tl.sum(tl.sum(centred * centred, axis=1), axis=0) / (size * pixels)
    weight = tl.load(weight_ptr + channel, mask=member < size, other=0.0).to(tl.float32)
    bias = tl.load(bias_ptr + channel, mask=member < size, other=0.0).to(tl.float32)
    y = centred * tl.rsqrt(variance + eps) * weight[:, None] + bias[:, None]
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def main():
    args = arguments(__doc__, batch=2, channels=64, groups=2, pixels=100)
    data = Data(args)
    x = data.normal(args.batch, args.channels, args.pixels)
    weight, bias = data.normal(args.channels), data.normal(args.channels)
    y = data.empty(*x.shape)
    size = args.channels // args.groups
    group_norm_kernel[(args.batch, args.groups)](x, weight, bias, y, args.channels, args.pixels, size, 1e-5,
                                                 BLOCK_C=triton.next_power_of_2(size),
                                                 BLOCK_P=triton.next_power_of_2(args.pixels))

    grouped = wide(x).reshape(args.batch, args.groups, -1)
    normalised = (grouped - grouped.mean(axis=2, keepdims=True)) / np.sqrt(grouped.var(axis=2, keepdims=True) + 1e-5)
    return check(args, y=(y, normalised.reshape(x.shape) * wide(weight)[:, None] + wide(bias)[:, None]))


if __name__ == "__main__":
    sys.exit(main())
