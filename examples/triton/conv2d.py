# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A convolution of images as one product, whose left operand is gathered while it is loaded.

    drawloom run examples/triton/conv2d.py --check -- --height 8 --width 8 --channels 32

Rows of the product are output pixels, its depth walks the window and the channels in it; which element of the image
that is follows from quotients and remainders. Beyond the image's edge are zeros.
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def conv2d_kernel(x_ptr, weight_ptr, out_ptr, IMAGES, H, W, C, OUT, P, Q, R: tl.constexpr, S: tl.constexpr,
                  STRIDE: tl.constexpr, PADDING: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                  BLOCK_K: tl.constexpr):
    """x is [images, H, W, C], the weight [R, S, C, OUT], out [images, P, Q, OUT]."""
    pixel = tl.program_id(axis=0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(axis=1) * BLOCK_N + tl.arange(0, BLOCK_N)
    image = pixel // (P * Q)
    p = (pixel % (P * Q)) // Q
    q = pixel % Q
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, R * S * C, BLOCK_K):
        depth = start + tl.arange(0, BLOCK_K)
        r = depth // (S * C)
        s = (depth % (S * C)) // C
        channel = depth % C
        h = p[:, None] * STRIDE + r[None, :] - PADDING
        w = q[:, None] * STRIDE + s[None, :] - PADDING
        inside = (h >= 0) & (h < H) & (w >= 0) & (w < W) & (pixel < IMAGES * P * Q)[:, None]
        x = tl.load(x_ptr + ((image[:, None] * H + h) * W + w) * C + channel[None, :], mask=inside, other=0.0)
        weight = tl.load(weight_ptr + depth[:, None] * OUT + column[None, :], mask=(column < OUT)[None, :], other=0.0)
        total = tl.dot(x, weight, total)
    tl.store(out_ptr + pixel[:, None] * OUT + column[None, :], total.to(out_ptr.dtype.element_ty),
             mask=(pixel < IMAGES * P * Q)[:, None] & (column < OUT)[None, :])


def reference(x, weight, stride, padding, p, q):
    padded = np.pad(x, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    out = 0
    for r in range(weight.shape[0]):
        for s in range(weight.shape[1]):
            window = padded[:, r:r + stride * (p - 1) + 1:stride, s:s + stride * (q - 1) + 1:stride]
            out = out + window @ weight[r, s]
    return out


def main():
    args = arguments(__doc__, images=1, height=8, width=8, channels=32, outputs=32, window=3, stride=1, padding=1)
    data = Data(args)
    x = data.normal(args.images, args.height, args.width, args.channels)
    weight = data.normal(args.window, args.window, args.channels, args.outputs)
    p, q = ((size + 2 * args.padding - args.window) // args.stride + 1 for size in (args.height, args.width))
    out = data.empty(args.images, p, q, args.outputs)
    conv2d_kernel[(triton.cdiv(args.images * p * q, 32), triton.cdiv(args.outputs, 32))](
        x, weight, out, args.images, args.height, args.width, args.channels, args.outputs, p, q, R=args.window,
        S=args.window, STRIDE=args.stride, PADDING=args.padding, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32)

    return check(args, out=(out, reference(wide(x), wide(weight), args.stride, args.padding, p, q)))


if __name__ == "__main__":
    sys.exit(main())
