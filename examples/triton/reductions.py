# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sum, maximum or place of the maximum along either axis of a matrix.

    drawloom run examples/triton/reductions.py --check -- --operation argmax --axis 0
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def reduce_kernel(x_ptr, y_ptr, rows, columns, AXIS: tl.constexpr, OPERATION: tl.constexpr, KEPT: tl.constexpr,
                  REDUCED: tl.constexpr):
    """A program reduces KEPT rows (AXIS 1) or columns (AXIS 0) of at most REDUCED elements."""
    if AXIS == 1:
        kept = tl.program_id(axis=0) * KEPT + tl.arange(0, KEPT)
        row, column = kept[:, None], tl.arange(0, REDUCED)[None, :]
        inside = kept < rows
    else:
        kept = tl.program_id(axis=0) * KEPT + tl.arange(0, KEPT)
        row, column = tl.arange(0, REDUCED)[:, None], kept[None, :]
        inside = kept < columns
    padding: tl.constexpr = 0.0 if OPERATION == "sum" else -float("inf")
    x = tl.load(x_ptr + row * columns + column, mask=(row < rows) & (column < columns), other=padding).to(tl.float32)
    if OPERATION == "sum":
        y = tl.sum(x, axis=AXIS)
    elif OPERATION == "max":
        y = tl.max(x, axis=AXIS)
    else:
        y = tl.argmax(x, axis=AXIS)
    tl.store(y_ptr + kept, y, mask=inside)


def main():
    args = arguments(__doc__, rows=70, columns=100, axis=1, operation=["sum", "max", "argmax"])
    data = Data(args)
    x = data.normal(args.rows, args.columns)
    kept = x.shape[1 - args.axis]
    y = data.empty(kept, dtype=np.int32 if args.operation == "argmax" else np.float32)
    reduce_kernel[(triton.cdiv(kept, 32), )](x, y, args.rows, args.columns, AXIS=args.axis, OPERATION=args.operation,
                                             KEPT=32, REDUCED=triton.next_power_of_2(x.shape[args.axis]))

    expected = getattr(np, args.operation)(wide(x), axis=args.axis)
    return check(args, y=(y, expected))


if __name__ == "__main__":
    sys.exit(main())
