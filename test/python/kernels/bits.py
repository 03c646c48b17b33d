# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bits of numbers."""
import triton
import triton.language as tl


@triton.jit
def next_and_sign(x_ptr, next_ptr, sign_ptr, N, BLOCK: tl.constexpr):
    """The next number away from zero, and the bits of the sign."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < N, other=0.0)
    bits = x.to(tl.int32, bitcast=True)
    tl.store(next_ptr + o, (bits + 1).to(tl.float32, bitcast=True), mask=o < N)
    tl.store(sign_ptr + o, (bits >> 31) & 1, mask=o < N)
