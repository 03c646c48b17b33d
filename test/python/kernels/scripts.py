# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as people write them: configurations, heuristics, helpers, defaults, library functions."""
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.libdevice import tanh as library_tanh

SLOPE = tl.constexpr(0.25)


@triton.jit
def leaky(x, slope=SLOPE):
    return tl.where(x > 0, x, x * slope)


@triton.jit
def activate(x, NAME: tl.constexpr):
    """A helper that calls a helper."""
    if NAME == "leaky":
        return leaky(x)
    elif NAME == "tanh":
        return library_tanh(x)
    else:
        tl.static_assert(NAME == "none", "an activation nobody knows")
        return x


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, factor=2.0, ACTIVATION: tl.constexpr = "none", BLOCK: tl.constexpr = 1024):
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=lane < n)
    tl.store(y_ptr + lane, activate(x * factor, ACTIVATION), mask=lane < n)


@triton.heuristics({
    "EVEN": lambda args: args["n"] % args["BLOCK"] == 0,
    "WIDTH": lambda args: triton.next_power_of_2(args["n"]),
})
@triton.jit
def reversed_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr, WIDTH: tl.constexpr):
    """Stores its own heuristics' choice: x where n is even blocks, otherwise -x."""
    tl.static_assert(WIDTH >= BLOCK or not EVEN)
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(y_ptr + lane, tl.load(x_ptr + lane))
    else:
        tl.store(y_ptr + lane, -tl.load(x_ptr + lane, mask=lane < n), mask=lane < n)


@triton.jit
def tuple_kernel(pointers, sizes, SHAPE: tl.constexpr):
    """Tuples of pointers and numbers, and a constant tuple."""
    row = tl.program_id(0) * SHAPE[0] + tl.arange(0, SHAPE[0])[:, None]
    column = tl.arange(0, SHAPE[1])[None, :]
    mask = (row < sizes[0]) & (column < sizes[1])
    offsets = row * sizes[1] + column
    tl.store(pointers[1] + offsets, tl.load(pointers[0] + offsets, mask=mask) + 1.0, mask=mask)


@triton.jit
def library_kernel(x_ptr, y_ptr, n, FUNCTION: tl.constexpr, BLOCK: tl.constexpr):
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=lane < n, other=1.0)
    tl.store(y_ptr + lane, getattr(libdevice, FUNCTION)(x), mask=lane < n)


@triton.jit
def library_kernel_of_two(a_ptr, b_ptr, y_ptr, n, FUNCTION: tl.constexpr, BLOCK: tl.constexpr):
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + lane, mask=lane < n, other=1.0)
    b = tl.load(b_ptr + lane, mask=lane < n, other=1.0)
    tl.store(y_ptr + lane, getattr(libdevice, FUNCTION)(a, b), mask=lane < n)


@triton.jit
def cube_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + lane, libdevice.pow(tl.load(x_ptr + lane, mask=lane < n, other=1.0), 3.0), mask=lane < n)
