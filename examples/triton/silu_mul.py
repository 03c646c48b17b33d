# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gate of a feed-forward layer: out = silu(gate) * up, a row a program.

    drawloom run examples/triton/silu_mul.py -- --rows 256 --columns 4096
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def silu_mul_kernel(gate_ptr, up_ptr, out_ptr, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(axis=0)
    lane = tl.arange(0, BLOCK)
    mask = lane < columns
    gate = tl.load(gate_ptr + row * stride + lane, mask=mask, other=0.0).to(tl.float32)
    up = tl.load(up_ptr + row * stride + lane, mask=mask, other=0.0).to(tl.float32)
    out = gate * tl.sigmoid(gate) * up
    tl.store(out_ptr + row * stride + lane, out.to(out_ptr.dtype.element_ty), mask=mask)


def main():
    args = arguments(__doc__, rows=128, columns=2048)
    data = Data(args)
    gate, up, out = (make(args.rows, args.columns) for make in (data.normal, data.normal, data.empty))
    silu_mul_kernel[(args.rows, )](gate, up, out, args.columns, out.stride(0),
                                   BLOCK=triton.next_power_of_2(args.columns))
    return check(args, out=(out, wide(gate) / (1 + np.exp(-wide(gate))) * wide(up)))


if __name__ == "__main__":
    sys.exit(main())
