# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layer normalisation, forward: y = (x - mean) * rstd * weight + bias, a row a program.

    drawloom run examples/triton/layernorm.py --check -- --rows 64 --columns 1000

Mean and 1 / standard deviation of each row are kept, as the backward pass needs them.
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def layernorm_kernel(x_ptr, y_ptr, weight_ptr, bias_ptr, mean_ptr, rstd_ptr, columns, stride, eps, BLOCK: tl.constexpr):
    row = tl.program_id(axis=0)
    x_ptr += row * stride
    y_ptr += row * stride
    total = tl.zeros((BLOCK, ), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        lane = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + lane, mask=lane < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros((BLOCK, ), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        lane = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + lane, mask=lane < columns, other=0.0).to(tl.float32)
        # Lanes past the end are 0, but 0 - mean is not.
        centred = tl.where(lane < columns, x - mean, 0.0)
        squares += centred * centred
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for start in range(0, columns, BLOCK):
        lane = start + tl.arange(0, BLOCK)
        mask = lane < columns
        weight = tl.load(weight_ptr + lane, mask=mask)
        bias = tl.load(bias_ptr + lane, mask=mask)
        x = tl.load(x_ptr + lane, mask=mask, other=0.0).to(tl.float32)
        tl.store(y_ptr + lane, ((x - mean) * rstd * weight + bias).to(y_ptr.dtype.element_ty), mask=mask)


def main():
    args = arguments(__doc__, rows=64, columns=300, block=128)
    data = Data(args)
    x = data.normal(args.rows, args.columns)
    weight, bias = data.normal(args.columns), data.normal(args.columns)
    y = data.empty(args.rows, args.columns)
    mean, rstd = (data.empty(args.rows, dtype=np.float32) for _ in range(2))
    layernorm_kernel[(args.rows, )](x, y, weight, bias, mean, rstd, args.columns, x.stride(0), 1e-5, BLOCK=args.block)

    wanted_mean = wide(x).mean(axis=1)
    wanted_rstd = 1 / np.sqrt(wide(x).var(axis=1) + 1e-5)
    normalised = (wide(x) - wanted_mean[:, None]) * wanted_rstd[:, None]
    # A mean is near 0 where the values are not: its error is judged against theirs.
    return check(args, y=(y, normalised * wide(weight) + wide(bias)), mean=(1 + mean, 1 + wanted_mean),
                 rstd=(rstd, wanted_rstd))


if __name__ == "__main__":
    sys.exit(main())
