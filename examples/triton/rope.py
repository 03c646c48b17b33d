# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary position embedding: each pair of a head's elements is turned by an angle that grows with the position.

    drawloom run examples/triton/rope.py --check -- --pairing interleaved

Pairs are element i with i + half (Llama's), or 2i with 2i + 1 (GPT-J's).
"""
import sys

import drawloom
import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def rope_halves_kernel(x_ptr, cos_ptr, sin_ptr, y_ptr, positions, heads, HALF: tl.constexpr, BLOCK: tl.constexpr):
    """x is [batch, positions, heads, 2 HALF]; cos and sin are [positions, HALF]."""
    position = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    head = tl.program_id(axis=1)
    batch = tl.program_id(axis=2)
    lane = tl.arange(0, HALF)
    mask = position[:, None] < positions
    angle = position[:, None] * HALF + lane[None, :]
    cos = tl.load(cos_ptr + angle, mask=mask, other=0.0)
    sin = tl.load(sin_ptr + angle, mask=mask, other=0.0)
    first = ((batch * positions + position[:, None]) * heads + head) * (2 * HALF) + lane[None, :]
    a = tl.load(x_ptr + first, mask=mask, other=0.0).to(tl.float32)
    b = tl.load(x_ptr + first + HALF, mask=mask, other=0.0).to(tl.float32)
    tl.store(y_ptr + first, (a * cos - b * sin).to(y_ptr.dtype.element_ty), mask=mask)
    tl.store(y_ptr + first + HALF, (b * cos + a * sin).to(y_ptr.dtype.element_ty), mask=mask)


@triton.jit
def rope_interleaved_kernel(x_ptr, cos_ptr, sin_ptr, y_ptr, positions, heads, HALF: tl.constexpr, BLOCK: tl.constexpr):
    position = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    head = tl.program_id(axis=1)
    batch = tl.program_id(axis=2)
    lane = tl.arange(0, HALF)
    element = tl.arange(0, 2 * HALF)
    mask = position[:, None] < positions
    angle = position[:, None] * HALF + lane[None, :]
    cos = tl.load(cos_ptr + angle, mask=mask, other=0.0)
    sin = tl.load(sin_ptr + angle, mask=mask, other=0.0)
    offsets = ((batch * positions + position[:, None]) * heads + head) * (2 * HALF) + element[None, :]
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    a, b = tl.split(tl.reshape(x, (BLOCK, HALF, 2)))
    y = tl.reshape(tl.join(a * cos - b * sin, b * cos + a * sin), (BLOCK, 2 * HALF))
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def main():
    args = arguments(__doc__, batch=2, positions=50, heads=2, head_dim=64, pairing=["halves", "interleaved"])
    data = Data(args)
    half = args.head_dim // 2
    x = data.normal(args.batch, args.positions, args.heads, args.head_dim)
    angles = np.outer(np.arange(args.positions), 10000.0**(-np.arange(half) / half))
    cos, sin = drawloom.array(np.cos(angles), np.float32), drawloom.array(np.sin(angles), np.float32)
    y = data.empty(*x.shape)
    kernel = rope_halves_kernel if args.pairing == "halves" else rope_interleaved_kernel
    kernel[(triton.cdiv(args.positions, 32), args.heads, args.batch)](x, cos, sin, y, args.positions, args.heads,
                                                                      HALF=half, BLOCK=32)

    first, second = ((slice(half), slice(half, None)) if args.pairing == "halves" else
                     (slice(0, None, 2), slice(1, None, 2)))
    a, b, c, s = wide(x)[..., first], wide(x)[..., second], np.cos(angles)[:, None], np.sin(angles)[:, None]
    expected = np.empty(x.shape)
    expected[..., first], expected[..., second] = a * c - b * s, b * c + a * s
    return check(args, y=(y, expected))


if __name__ == "__main__":
    sys.exit(main())
