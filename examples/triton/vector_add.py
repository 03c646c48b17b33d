# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""z = x + y on vectors of any length.

    drawloom run examples/triton/vector_add.py -- --n 1000000
"""
import argparse
import sys

import drawloom
import ml_dtypes
import numpy as np
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(z_ptr + offsets, x + y, mask=mask)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--n", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    random = np.random.default_rng(args.seed)
    x = drawloom.array(random.standard_normal(args.n), ml_dtypes.bfloat16)
    y = drawloom.array(random.standard_normal(args.n), ml_dtypes.bfloat16)
    z = drawloom.array(np.zeros(args.n, ml_dtypes.bfloat16))
    add_kernel[(triton.cdiv(args.n, 1024), )](x, y, z, args.n, BLOCK=1024)
    if not drawloom.has_values():
        return 0

    # A sum of two bf16 values rounded once: an error within one unit in the last
    # place (2^-7 of the value) allows for either rounding.
    expected = x.astype(np.float32) + y.astype(np.float32)
    error = np.abs(z.astype(np.float32) - expected)
    print(f"largest error {error.max():.2e}")
    return int((error > 2**-7 * np.abs(expected) + 1e-6).any())


if __name__ == "__main__":
    sys.exit(main())
