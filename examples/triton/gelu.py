# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The activation gelu, exactly (by erf) or by its approximation with tanh.

    drawloom run examples/triton/gelu.py --check -- --n 5000 --approximation tanh
"""
import math
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide
from triton.language.extra import libdevice


@triton.jit
def gelu(x):
    return 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))


@triton.jit
def gelu_tanh(x):
    return 0.5 * x * (1.0 + libdevice.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, APPROXIMATION: tl.constexpr, BLOCK: tl.constexpr):
    lane = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=lane < n, other=0.0).to(tl.float32)
    if APPROXIMATION == "tanh":
        y = gelu_tanh(x)
    else:
        y = gelu(x)
    tl.store(y_ptr + lane, y.to(y_ptr.dtype.element_ty), mask=lane < n)


def main():
    args = arguments(__doc__, n=5000, approximation=["none", "tanh"])
    data = Data(args)
    x, y = data.normal(args.n), data.empty(args.n)
    gelu_kernel[(triton.cdiv(args.n, 1024), )](x, y, args.n, APPROXIMATION=args.approximation, BLOCK=1024)

    v = wide(x)
    if args.approximation == "tanh":
        share = np.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))
    else:
        share = np.vectorize(math.erf)(v / math.sqrt(2))  # numpy has no erf
    return check(args, y=(y, 0.5 * v * (1 + share)))


if __name__ == "__main__":
    sys.exit(main())
