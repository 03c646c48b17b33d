# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element-wise kernels for tests: masks, paddings, broadcasts and long expressions."""
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(z_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


@triton.jit
def add_long(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    """`add` with 64-bit offsets."""
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK).to(tl.int64)
    mask = offsets < n
    tl.store(z_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


@triton.jit
def copy_padded(x_ptr, y_ptr, rows, columns, OTHER: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """y is as large as its blocks; what lies outside rows x columns of x reads as OTHER."""
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    x = tl.load(x_ptr + row[:, None] * columns + column[None, :], mask=inside, other=OTHER)
    tl.store(y_ptr + row[:, None] * (tl.num_programs(1) * BN) + column[None, :], x)


@triton.jit
def copy_rectangle(x_ptr, y_ptr, stride, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    """Copies rows x columns of arrays that are larger."""
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    offsets = row[:, None] * stride + column[None, :]
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=inside, other=0.0), mask=inside)


@triton.jit
def broadcasts(a_ptr, b_ptr, c_ptr, y_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    """(a[1, N] + b[1, N]) + (c[N, 1] + a[1, N])"""
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    a = tl.load(a_ptr + column, mask=column < columns, other=0.0)[None, :]
    b = tl.load(b_ptr + column, mask=column < columns, other=0.0)[None, :]
    c = tl.load(c_ptr + row, mask=row < rows, other=0.0)[:, None]
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tl.store(y_ptr + row[:, None] * columns + column[None, :], (a + b) + (c + a), mask=inside)


@triton.jit
def fused(a_ptr, b_ptr, c_ptr, d_ptr, e_ptr, f_ptr, y_ptr, n, DEEP: tl.constexpr, BLOCK: tl.constexpr):
    """Six operands; if DEEP, six values must be live at once, more than half of Dst holds in fp32."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(a_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    b = tl.load(b_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    c = tl.load(c_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    d = tl.load(d_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    e = tl.load(e_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    f = tl.load(f_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    ab, cd, ef = tl.exp(a) * b, tl.exp(c) * d, tl.exp(e) * f
    if DEEP:
        y = (ab + cd) * (ef + a) + (cd + ef) * (ab + c) + (ef + ab) * (cd + e)
    else:
        y = (ab + cd) * ef
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


@triton.jit
def subtract_constant(x_ptr, y_ptr, n, value, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) - value, mask=mask)


@triton.jit
def accumulate_in_place(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """x += y"""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(x_ptr + offsets, x + tl.load(y_ptr + offsets, mask=mask), mask=mask)
