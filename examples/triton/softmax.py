# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax of each row: in one block, or online over blocks of columns.

    drawloom run examples/triton/softmax.py --check -- --rows 4096 --columns 1000
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def softmax_kernel(x_ptr, y_ptr, columns, stride_x, stride_y, BLOCK: tl.constexpr):
    row = tl.program_id(axis=0)
    lane = tl.arange(0, BLOCK)
    # Lanes past the end are -inf: they lose every maximum and add exp(-inf) = 0 to the sum.
    x = tl.load(x_ptr + row * stride_x + lane, mask=lane < columns, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    y = e / tl.sum(e, axis=0)
    tl.store(y_ptr + row * stride_y + lane, y.to(y_ptr.dtype.element_ty), mask=lane < columns)


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, columns, stride_x, stride_y, BLOCK: tl.constexpr):
    row = tl.program_id(axis=0)
    # The maximum so far, and the sum of exp(x - maximum) so far, which each larger maximum scales down.
    largest = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        lane = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride_x + lane, mask=lane < columns, other=-float("inf")).to(tl.float32)
        larger = tl.maximum(largest, tl.max(x, axis=0))
        total = total * tl.exp(largest - larger) + tl.sum(tl.exp(x - larger), axis=0)
        largest = larger
    for start in range(0, columns, BLOCK):
        lane = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride_x + lane, mask=lane < columns, other=-float("inf")).to(tl.float32)
        y = tl.exp(x - largest) / total
        tl.store(y_ptr + row * stride_y + lane, y.to(y_ptr.dtype.element_ty), mask=lane < columns)


def main():
    args = arguments(__doc__, rows=64, columns=300, online=False, block=128)
    data = Data(args)
    x = data.normal(args.rows, args.columns, scale=3)
    y = data.empty(args.rows, args.columns)
    if args.online:
        online_softmax_kernel[(args.rows, )](x, y, args.columns, x.stride(0), y.stride(0), BLOCK=args.block)
    else:
        softmax_kernel[(args.rows, )](x, y, args.columns, x.stride(0), y.stride(0),
                                      BLOCK=triton.next_power_of_2(args.columns))

    e = np.exp(wide(x) - wide(x).max(axis=1, keepdims=True))
    return check(args, y=(y, e / e.sum(axis=1, keepdims=True)))


if __name__ == "__main__":
    sys.exit(main())
