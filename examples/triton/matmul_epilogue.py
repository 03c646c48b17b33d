# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linear layer in one kernel: out = activation(scale * (x W) + bias).

    drawloom run examples/triton/matmul_epilogue.py -- --activation silu
"""
import argparse
import sys

import drawloom
import ml_dtypes
import numpy as np
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, bias_ptr, out_ptr, M, N, K, scale, stride_x, stride_w, stride_out,
                  ACTIVATION: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
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
    elif ACTIVATION == "silu":
        out = out * tl.sigmoid(out)
    elif ACTIVATION == "gelu":
        out = 0.5 * out * (1.0 + tl.erf(out * 0.7071067811865476))
    tl.store(out_ptr + rows[:, None] * stride_out + columns[None, :], out.to(tl.bfloat16), mask=in_rows & in_columns)


def activate(x, activation):
    """The reference, in fp64 (numpy has no erf)."""
    if activation == "relu":
        return np.maximum(x, 0)
    if activation == "silu":
        return x / (1 + np.exp(-x))
    if activation == "gelu":
        from math import erf
        return 0.5 * x * (1 + np.vectorize(erf)(x / np.sqrt(2)))
    return x


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--m", type=int, default=256)
    parser.add_argument("--n", type=int, default=512)
    parser.add_argument("--k", type=int, default=256)
    parser.add_argument("--scale", type=float, default=0.125)
    parser.add_argument("--activation", choices=["none", "relu", "silu", "gelu"], default="silu")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    random = np.random.default_rng(args.seed)
    x = drawloom.array(random.standard_normal((args.m, args.k)), ml_dtypes.bfloat16)
    w = drawloom.array(random.standard_normal((args.k, args.n)), ml_dtypes.bfloat16)
    bias = drawloom.array(random.standard_normal(args.n), ml_dtypes.bfloat16)
    out = drawloom.array(np.zeros((args.m, args.n), ml_dtypes.bfloat16))
    grid = (triton.cdiv(args.m, 64), triton.cdiv(args.n, 128))
    linear_kernel[grid](x, w, bias, out, args.m, args.n, args.k, args.scale, x.stride(0), w.stride(0), out.stride(0),
                        ACTIVATION=args.activation, BLOCK_M=64, BLOCK_N=128, BLOCK_K=64)
    if not drawloom.has_values():
        return 0

    sums = args.scale * (x.astype(np.float64) @ w.astype(np.float64)) + bias.astype(np.float64)
    expected = activate(sums, args.activation)
    error = np.abs(out.astype(np.float64) - expected).max() / np.abs(expected).max()
    print(f"largest error {error:.2e} of the largest element")
    return int(error > 1e-2)


if __name__ == "__main__":
    sys.exit(main())
