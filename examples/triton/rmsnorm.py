# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Root mean square normalisation, forward and backward, a row a program.

    drawloom run examples/triton/rmsnorm.py --check -- --rows 64 --columns 1000
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def rmsnorm_kernel(x_ptr, weight_ptr, y_ptr, rstd_ptr, columns, stride, eps, BLOCK: tl.constexpr):
    row = tl.program_id(axis=0)
    lane = tl.arange(0, BLOCK)
    mask = lane < columns
    x = tl.load(x_ptr + row * stride + lane, mask=mask, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + lane, mask=mask, other=0.0).to(tl.float32)
    rstd = tl.rsqrt(tl.sum(x * x, axis=0) / columns + eps)
    tl.store(rstd_ptr + row, rstd)
    tl.store(y_ptr + row * stride + lane, (x * rstd * weight).to(y_ptr.dtype.element_ty), mask=mask)


@triton.jit
def rmsnorm_backward_kernel(dy_ptr, x_ptr, weight_ptr, rstd_ptr, dx_ptr, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(axis=0)
    lane = tl.arange(0, BLOCK)
    mask = lane < columns
    dy = tl.load(dy_ptr + row * stride + lane, mask=mask, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + row * stride + lane, mask=mask, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + lane, mask=mask, other=0.0).to(tl.float32)
    rstd = tl.load(rstd_ptr + row)
    normalised = x * rstd
    scaled = dy * weight
    dx = rstd * (scaled - normalised * tl.sum(scaled * normalised, axis=0) / columns)
    tl.store(dx_ptr + row * stride + lane, dx.to(dx_ptr.dtype.element_ty), mask=mask)


def main():
    args = arguments(__doc__, rows=64, columns=300)
    data = Data(args)
    x, dy = data.normal(args.rows, args.columns), data.normal(args.rows, args.columns)
    weight = data.normal(args.columns)
    y, dx = data.empty(*x.shape), data.empty(*x.shape)
    rstd = data.empty(args.rows, dtype=np.float32)
    block = triton.next_power_of_2(args.columns)
    rmsnorm_kernel[(args.rows, )](x, weight, y, rstd, args.columns, x.stride(0), 1e-6, BLOCK=block)
    rmsnorm_backward_kernel[(args.rows, )](dy, x, weight, rstd, dx, args.columns, x.stride(0), BLOCK=block)

    wanted_rstd = 1 / np.sqrt((wide(x)**2).mean(axis=1, keepdims=True) + 1e-6)
    normalised = wide(x) * wanted_rstd
    scaled = wide(dy) * wide(weight)
    wanted_dx = wanted_rstd * (scaled - normalised * (scaled * normalised).mean(axis=1, keepdims=True))
    return check(args, y=(y, normalised * wide(weight)), rstd=(rstd, wanted_rstd[:, 0]), dx=(dx, wanted_dx))


if __name__ == "__main__":
    sys.exit(main())
