# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers of several widths, with and without a sign, as data."""
import triton
import triton.language as tl


@triton.jit
def to_float(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o < n, other=0).to(tl.float32), mask=o < n)


@triton.jit
def from_float(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o < n, other=0.0).to(y_ptr.dtype.element_ty), mask=o < n)


@triton.jit
def arithmetic(x_ptr, y_ptr, z_ptr, n, OPERATION: tl.constexpr, BLOCK: tl.constexpr):
    """Of two arrays of one type; the result is of that type, and wraps in it."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x, y = tl.load(x_ptr + o, mask=o < n, other=0), tl.load(y_ptr + o, mask=o < n, other=0)
    if OPERATION == "sum":
        z = x + y
    elif OPERATION == "product":
        z = x * y
    elif OPERATION == "largest":
        z = tl.maximum(x, y)
    elif OPERATION == "shifted":
        z = (x >> 3) | (y << 2)
    elif OPERATION == "quotient":
        z = x // 7
    elif OPERATION == "rest":
        z = x % 7
    else:
        z = tl.where(x <= y, x - y, y)
    tl.store(z_ptr + o, z, mask=o < n)


@triton.jit
def unpack_nibbles(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n)
    tl.store(y_ptr + 2 * o, (x & 15).to(tl.float32), mask=o < n)
    tl.store(y_ptr + 2 * o + 1, (x >> 4).to(tl.float32), mask=o < n)


@triton.jit
def pack_nibbles(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    low, high = tl.load(x_ptr + 2 * o, mask=o < n), tl.load(x_ptr + 2 * o + 1, mask=o < n)
    tl.store(y_ptr + o, ((high << 4) | low).to(tl.uint8), mask=o < n)


@triton.jit
def scaled_integers(x_ptr, copy_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    """Copied and halved through descriptors made by the kernel."""
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    x_desc = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [BLOCK, BLOCK])
    copy_desc = tl.make_tensor_descriptor(copy_ptr, [M, N], [N, 1], [BLOCK, BLOCK])
    y_desc = tl.make_tensor_descriptor(y_ptr, [M, N], [N, 1], [BLOCK, BLOCK])
    x = x_desc.load([row, column])
    copy_desc.store([row, column], x)
    y_desc.store([row, column], x.to(tl.float32) * 0.5)
