# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""z = x + y on vectors of any length.

    drawloom run examples/triton/vector_add.py -- --n 1000000
"""
import sys

import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def add_kernel(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(z_ptr + offsets, x + y, mask=mask)


def main():
    args = arguments(__doc__, n=100_000)
    data = Data(args)
    x, y, z = data.normal(args.n), data.normal(args.n), data.empty(args.n)
    add_kernel[(triton.cdiv(args.n, 1024), )](x, y, z, args.n, BLOCK=1024)
    return check(args, z=(z, wide(x) + wide(y)))


if __name__ == "__main__":
    sys.exit(main())
