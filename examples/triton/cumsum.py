# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running sums along either axis of a matrix, carried from block to block.

    drawloom run examples/triton/cumsum.py --check -- --rows 40 --columns 300 --axis 0
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def cumsum_along_columns_kernel(x_ptr, y_ptr, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(axis=0)
    before = 0.0
    for start in range(0, columns, BLOCK):
        lane = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + lane, mask=lane < columns, other=0.0).to(tl.float32)
        y = before + tl.cumsum(x, axis=0)
        tl.store(y_ptr + row * stride + lane, y.to(y_ptr.dtype.element_ty), mask=lane < columns)
        before += tl.sum(x, axis=0)


@triton.jit
def cumsum_along_rows_kernel(x_ptr, y_ptr, rows, columns, stride, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    column = tl.program_id(axis=0) * BLOCK_C + tl.arange(0, BLOCK_C)
    before = tl.zeros((BLOCK_C, ), dtype=tl.float32)
    for start in range(0, rows, BLOCK_R):
        row = start + tl.arange(0, BLOCK_R)
        mask = (row[:, None] < rows) & (column[None, :] < columns)
        offsets = row[:, None] * stride + column[None, :]
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
        y = before[None, :] + tl.cumsum(x, axis=0)
        tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)
        before += tl.sum(x, axis=0)


def main():
    args = arguments(__doc__, rows=40, columns=300, axis=1, block=64)
    data = Data(args)
    x, y = data.normal(args.rows, args.columns), data.empty(args.rows, args.columns)
    if args.axis == 1:
        cumsum_along_columns_kernel[(args.rows, )](x, y, args.columns, x.stride(0), BLOCK=args.block)
    else:
        cumsum_along_rows_kernel[(triton.cdiv(args.columns, 64), )](x, y, args.rows, args.columns, x.stride(0),
                                                                    BLOCK_R=args.block, BLOCK_C=64)

    return check(args, y=(y, np.cumsum(wide(x), axis=args.axis)))


if __name__ == "__main__":
    sys.exit(main())
