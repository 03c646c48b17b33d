# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Logarithm of the softmax of each row, a block of rows a program.

    drawloom run examples/triton/log_softmax.py --check -- --rows 64 --columns 300
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def log_softmax_kernel(x_ptr, y_ptr, rows, columns, stride_x, stride_y, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    row = tl.program_id(axis=0) * BLOCK_R + tl.arange(0, BLOCK_R)[:, None]
    lane = tl.arange(0, BLOCK_C)[None, :]
    mask = (row < rows) & (lane < columns)
    x = tl.load(x_ptr + row * stride_x + lane, mask=mask, other=-float("inf")).to(tl.float32)
    # Rows past the end are -inf throughout; what they give is not stored.
    x -= tl.max(x, axis=1, keep_dims=True)
    y = x - tl.log(tl.sum(tl.exp(x), axis=1, keep_dims=True))
    tl.store(y_ptr + row * stride_y + lane, y.to(y_ptr.dtype.element_ty), mask=mask)


def main():
    args = arguments(__doc__, rows=64, columns=300)
    data = Data(args)
    x = data.normal(args.rows, args.columns)
    y = data.empty(args.rows, args.columns)
    log_softmax_kernel[(triton.cdiv(args.rows, 32), )](x, y, args.rows, args.columns, x.stride(0), y.stride(0),
                                                       BLOCK_R=32, BLOCK_C=triton.next_power_of_2(args.columns))

    shifted = wide(x) - wide(x).max(axis=1, keepdims=True)
    return check(args, y=(y, shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))))


if __name__ == "__main__":
    sys.exit(main())
