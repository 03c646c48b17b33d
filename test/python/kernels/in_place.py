# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that load what they stored before."""
import triton
import triton.language as tl


@triton.jit
def add_halves(y_ptr, stride, W: tl.constexpr):
    """The first half goes to the second, which is loaded again."""
    i = (tl.program_id(0) * 32 + tl.arange(0, 32))[:, None]
    first = y_ptr + i * stride + tl.arange(0, W)[None, :]
    a = tl.load(first)
    tl.store(first + W, a)
    tl.store(first, tl.load(first + W) + a)


@triton.jit
def number_written(number_ptr, x_ptr, y_ptr, B: tl.constexpr):
    o = tl.arange(0, B)
    tl.store(number_ptr + o, o + 1)
    tl.store(y_ptr + o, tl.load(x_ptr + tl.load(number_ptr) * B + o))


@triton.jit
def look_up_written(number_ptr, x_ptr, y_ptr, B: tl.constexpr):
    o = tl.arange(0, B)
    k = tl.load(number_ptr + o)
    tl.store(number_ptr + o, k + 1)
    tl.store(y_ptr + o, tl.load(x_ptr + k))
