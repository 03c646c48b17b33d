# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gate of a feed-forward layer: out = silu(gate) * up, a row a program.

    drawloom run examples/triton/silu_mul.py -- --rows 256 --columns 4096
"""
import argparse
import sys

import drawloom
import ml_dtypes
import numpy as np
import triton
import triton.language as tl


@triton.jit
def silu_mul_kernel(gate_ptr, up_ptr, out_ptr, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(axis=0)
    lane = tl.arange(0, BLOCK)
    mask = lane < columns
    gate = tl.load(gate_ptr + row * stride + lane, mask=mask, other=0.0).to(tl.float32)
    up = tl.load(up_ptr + row * stride + lane, mask=mask, other=0.0).to(tl.float32)
    out = gate * tl.sigmoid(gate) * up
    tl.store(out_ptr + row * stride + lane, out.to(tl.bfloat16), mask=mask)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=128)
    parser.add_argument("--columns", type=int, default=2048)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    random = np.random.default_rng(args.seed)
    shape = (args.rows, args.columns)
    gate = drawloom.array(random.standard_normal(shape), ml_dtypes.bfloat16)
    up = drawloom.array(random.standard_normal(shape), ml_dtypes.bfloat16)
    out = drawloom.array(np.zeros(shape, ml_dtypes.bfloat16))
    silu_mul_kernel[(args.rows, )](gate, up, out, args.columns, out.stride(0),
                                   BLOCK=triton.next_power_of_2(args.columns))
    if not drawloom.has_values():
        return 0

    wide = gate.astype(np.float64)
    expected = wide / (1 + np.exp(-wide)) * up.astype(np.float64)
    error = np.abs(out.astype(np.float64) - expected).max() / np.abs(expected).max()
    print(f"largest error {error:.2e} of the largest element")
    return int(error > 1e-2)


if __name__ == "__main__":
    sys.exit(main())
