# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix, transposed block by block.

    drawloom run examples/triton/transpose.py --check -- --rows 100 --columns 300
"""
import sys

import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def transpose_kernel(x_ptr, y_ptr, rows, columns, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    row = tl.program_id(axis=0) * BLOCK_R + tl.arange(0, BLOCK_R)
    column = tl.program_id(axis=1) * BLOCK_C + tl.arange(0, BLOCK_C)
    x = tl.load(x_ptr + row[:, None] * columns + column[None, :],
                mask=(row[:, None] < rows) & (column[None, :] < columns))
    tl.store(y_ptr + column[:, None] * rows + row[None, :], tl.trans(x),
             mask=(column[:, None] < columns) & (row[None, :] < rows))


def main():
    args = arguments(__doc__, rows=100, columns=300)
    data = Data(args)
    x, y = data.normal(args.rows, args.columns), data.empty(args.columns, args.rows)
    transpose_kernel[(triton.cdiv(args.rows, 64), triton.cdiv(args.columns, 64))](x, y, args.rows, args.columns,
                                                                                  BLOCK_R=64, BLOCK_C=64)
    return check(args, y=(y, wide(x).T))


if __name__ == "__main__":
    sys.exit(main())
