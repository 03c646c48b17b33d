# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layer normalisation, backward: gradients of the input, the weight and the bias.

    drawloom run examples/triton/layernorm_backward.py --check -- --rows 64 --columns 1000

Each program adds up the gradients of weight and bias over its own rows; a second kernel adds up the programs.
"""
import sys

import drawloom
import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def layernorm_backward_kernel(dy_ptr, x_ptr, weight_ptr, mean_ptr, rstd_ptr, dx_ptr, dweight_ptr, dbias_ptr, rows,
                              columns, stride, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    program = tl.program_id(axis=0)
    lane = tl.arange(0, BLOCK)
    mask = lane < columns
    weight = tl.load(weight_ptr + lane, mask=mask, other=0.0).to(tl.float32)
    dweight = tl.zeros((BLOCK, ), dtype=tl.float32)
    dbias = tl.zeros((BLOCK, ), dtype=tl.float32)
    for row in range(program * ROWS, tl.minimum((program + 1) * ROWS, rows)):
        x = tl.load(x_ptr + row * stride + lane, mask=mask, other=0.0).to(tl.float32)
        dy = tl.load(dy_ptr + row * stride + lane, mask=mask, other=0.0).to(tl.float32)
        mean = tl.load(mean_ptr + row)
        rstd = tl.load(rstd_ptr + row)
        normalised = tl.where(mask, (x - mean) * rstd, 0.0)
        scaled = weight * dy
        along = tl.sum(normalised * scaled, axis=0) / columns
        across = tl.sum(scaled, axis=0) / columns
        dx = (scaled - (normalised * along + across)) * rstd
        tl.store(dx_ptr + row * stride + lane, dx.to(dx_ptr.dtype.element_ty), mask=mask)
        dweight += dy * normalised
        dbias += dy
    tl.store(dweight_ptr + program * columns + lane, dweight, mask=mask)
    tl.store(dbias_ptr + program * columns + lane, dbias, mask=mask)


@triton.jit
def sum_programs_kernel(parts_ptr, total_ptr, programs, columns, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    lane = tl.program_id(axis=0) * BLOCK_C + tl.arange(0, BLOCK_C)
    total = tl.zeros((BLOCK_R, BLOCK_C), dtype=tl.float32)
    for start in range(0, programs, BLOCK_R):
        row = start + tl.arange(0, BLOCK_R)
        mask = (row[:, None] < programs) & (lane[None, :] < columns)
        total += tl.load(parts_ptr + row[:, None] * columns + lane[None, :], mask=mask, other=0.0)
    tl.store(total_ptr + lane, tl.sum(total, axis=0).to(total_ptr.dtype.element_ty), mask=lane < columns)


def main():
    args = arguments(__doc__, rows=60, columns=300, rows_a_program=8)
    data = Data(args)
    dy, x = data.normal(args.rows, args.columns), data.normal(args.rows, args.columns)
    weight = data.normal(args.columns)
    mean = drawloom.array(wide(x).mean(axis=1), np.float32)
    rstd = drawloom.array(1 / np.sqrt(wide(x).var(axis=1) + 1e-5), np.float32)
    dx, dweight, dbias = data.empty(*x.shape), data.empty(args.columns), data.empty(args.columns)
    programs = triton.cdiv(args.rows, args.rows_a_program)
    parts = [data.empty(programs, args.columns, dtype=np.float32) for _ in range(2)]
    layernorm_backward_kernel[(programs, )](dy, x, weight, mean, rstd, dx, *parts, args.rows, args.columns, x.stride(0),
                                            ROWS=args.rows_a_program, BLOCK=triton.next_power_of_2(args.columns))
    for part, total in zip(parts, (dweight, dbias)):
        sum_programs_kernel[(triton.cdiv(args.columns, 128), )](part, total, programs, args.columns, BLOCK_R=32,
                                                                BLOCK_C=128)

    normalised = (wide(x) - wide(mean)[:, None]) * wide(rstd)[:, None]
    scaled = wide(dy) * wide(weight)
    wanted = scaled - scaled.mean(axis=1, keepdims=True)
    wanted -= normalised * (scaled * normalised).mean(axis=1, keepdims=True)
    return check(args, dx=(dx, wanted * wide(rstd)[:, None]), dweight=(dweight, (wide(dy) * normalised).sum(axis=0)),
                 dbias=(dbias, wide(dy).sum(axis=0)))


if __name__ == "__main__":
    sys.exit(main())
