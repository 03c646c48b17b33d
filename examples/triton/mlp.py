# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A feed-forward layer in one kernel: y = gelu(x W1) W2, the hidden values never in memory.

    drawloom run examples/triton/mlp.py --check -- --rows 100 --inputs 128 --hidden 512
"""
import math
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def gelu(x):
    return 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))


@triton.jit
def mlp_kernel(x_ptr, w1_ptr, w2_ptr, y_ptr, rows, inputs, hidden, outputs, BLOCK_M: tl.constexpr,
               BLOCK_H: tl.constexpr, BLOCK_K: tl.constexpr, BLOCK_N: tl.constexpr):
    """A program makes all outputs (at most BLOCK_N) of BLOCK_M rows."""
    row = tl.program_id(axis=0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for begin in range(0, hidden, BLOCK_H):
        unit = begin + tl.arange(0, BLOCK_H)
        sums = tl.zeros((BLOCK_M, BLOCK_H), dtype=tl.float32)
        for start in range(0, inputs, BLOCK_K):
            depth = start + tl.arange(0, BLOCK_K)
            x = tl.load(x_ptr + row[:, None] * inputs + depth[None, :],
                        mask=(row[:, None] < rows) & (depth[None, :] < inputs), other=0.0)
            w1 = tl.load(w1_ptr + depth[:, None] * hidden + unit[None, :],
                         mask=(depth[:, None] < inputs) & (unit[None, :] < hidden), other=0.0)
            sums = tl.dot(x, w1, sums)
        w2 = tl.load(w2_ptr + unit[:, None] * outputs + column[None, :],
                     mask=(unit[:, None] < hidden) & (column[None, :] < outputs), other=0.0)
        total = tl.dot(gelu(sums).to(w2.dtype), w2, total)
    tl.store(y_ptr + row[:, None] * outputs + column[None, :], total.to(y_ptr.dtype.element_ty),
             mask=(row[:, None] < rows) & (column[None, :] < outputs))


def main():
    args = arguments(__doc__, rows=100, inputs=64, hidden=128, outputs=64)
    data = Data(args)
    x = data.normal(args.rows, args.inputs)
    w1 = data.normal(args.inputs, args.hidden, scale=args.inputs**-0.5)
    w2 = data.normal(args.hidden, args.outputs, scale=args.hidden**-0.5)
    y = data.empty(args.rows, args.outputs)
    mlp_kernel[(triton.cdiv(args.rows, 64), )](x, w1, w2, y, args.rows, args.inputs, args.hidden, args.outputs,
                                               BLOCK_M=64, BLOCK_H=64, BLOCK_K=32,
                                               BLOCK_N=triton.next_power_of_2(args.outputs))

    sums = wide(x) @ wide(w1)
    hidden = 0.5 * sums * (1 + np.vectorize(math.erf)(sums / math.sqrt(2)))
    return check(args, roundings=2, y=(y, hidden @ wide(w2)))


if __name__ == "__main__":
    sys.exit(main())
