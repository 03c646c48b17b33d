# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linear layer in one kernel: out = activation(scale * (x W) + bias), plus a residual with --residual.

    drawloom run examples/triton/matmul_epilogue.py -- --activation silu
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def linear_kernel(x_ptr, w_ptr, bias_ptr, residual_ptr, out_ptr, M, N, K, scale, stride_x, stride_w, stride_out,
                  RESIDUAL: tl.constexpr, ACTIVATION: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(axis=0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(axis=1) * BLOCK_N + tl.arange(0, BLOCK_N)
    in_rows = rows[:, None] < M
    in_columns = columns[None, :] < N

    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        depth = start + tl.arange(0, BLOCK_K)
        x = tl.load(x_ptr + rows[:, None] * stride_x + depth[None, :], mask=in_rows & (depth[None, :] < K), other=0.0)
        w = tl.load(w_ptr + depth[:, None] * stride_w + columns[None, :], mask=(depth[:, None] < K) & in_columns,
                    other=0.0)
        total = tl.dot(x, w, total)

    # The epilogue works on the fp32 sums, before they are rounded to bf16.
    bias = tl.load(bias_ptr + columns, mask=columns < N, other=0.0).to(tl.float32)
    out = total * scale + bias[None, :]
    if ACTIVATION == "relu":
        out = tl.maximum(out, 0.0)
    elif ACTIVATION == "leaky_relu":
        out = tl.where(out >= 0, out, 0.01 * out)
    elif ACTIVATION == "silu":
        out = out * tl.sigmoid(out)
    elif ACTIVATION == "gelu":
        out = 0.5 * out * (1.0 + tl.erf(out * 0.7071067811865476))
    offsets = rows[:, None] * stride_out + columns[None, :]
    if RESIDUAL:
        out += tl.load(residual_ptr + offsets, mask=in_rows & in_columns, other=0.0).to(tl.float32)
    tl.store(out_ptr + offsets, out.to(out_ptr.dtype.element_ty), mask=in_rows & in_columns)


def activate(x, activation):
    """The reference, in fp64 (numpy has no erf)."""
    if activation == "relu":
        return np.maximum(x, 0)
    if activation == "leaky_relu":
        return np.where(x >= 0, x, 0.01 * x)
    if activation == "silu":
        return x / (1 + np.exp(-x))
    if activation == "gelu":
        from math import erf
        return 0.5 * x * (1 + np.vectorize(erf)(x / np.sqrt(2)))
    return x


def main():
    args = arguments(__doc__, m=256, n=512, k=256, scale=0.125, residual=False,
                     activation=["silu", "none", "relu", "leaky_relu", "gelu"])
    data = Data(args)
    x, w, bias = data.normal(args.m, args.k), data.normal(args.k, args.n), data.normal(args.n)
    residual, out = data.normal(args.m, args.n), data.empty(args.m, args.n)
    grid = (triton.cdiv(args.m, 64), triton.cdiv(args.n, 128))
    linear_kernel[grid](x, w, bias, residual, out, args.m, args.n, args.k, args.scale, x.stride(0), w.stride(0),
                        out.stride(0), RESIDUAL=args.residual, ACTIVATION=args.activation, BLOCK_M=64, BLOCK_N=128,
                        BLOCK_K=64)

    expected = activate(args.scale * (wide(x) @ wide(w)) + wide(bias), args.activation)
    return check(args, out=(out, expected + wide(residual) if args.residual else expected))


if __name__ == "__main__":
    sys.exit(main())
