# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles that are reduced over all axes or used in two shapes, and what such kernels compare."""
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice


@triton.jit
def quantize_blocks(x_ptr, q_ptr, scale_ptr, columns, BLOCK: tl.constexpr):
    """A scale for each square block: the extreme has no axis."""
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    offsets = row[:, None] * columns + column[None, :]
    x = tl.load(x_ptr + offsets, mask=column[None, :] < columns, other=0.0).to(tl.float32)
    scale = tl.max(tl.abs(x)) / 127.0
    tl.store(q_ptr + offsets, libdevice.rint(x / scale).to(tl.int8), mask=column[None, :] < columns)
    tl.store(scale_ptr + tl.program_id(0) * tl.num_programs(1) + tl.program_id(1), scale)


@triton.jit
def quantize_groups(x_ptr, q_ptr, scale_ptr, n, BLOCK: tl.constexpr, GROUP: tl.constexpr):
    """A vector that is scaled in groups, as a matrix, and stored as a vector."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0).to(tl.float32)
    groups = tl.reshape(x, (BLOCK // GROUP, GROUP))
    scale = tl.max(tl.abs(groups), axis=1) / 127.0 + 1e-9
    q = tl.reshape(groups / scale[:, None], (BLOCK, ))
    tl.store(q_ptr + offsets, tl.extra.cuda.libdevice.rint(q).to(tl.int8), mask=offsets < n)
    group = tl.program_id(0) * (BLOCK // GROUP) + tl.arange(0, BLOCK // GROUP)
    tl.store(scale_ptr + group, scale, mask=group < n // GROUP)


@triton.jit
def largest_of_all(x_ptr, place_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :])
    tl.store(place_ptr, tl.argmax(tl.ravel(x), 0))


@triton.jit
def chunk_sums(x_ptr, sums_ptr, rows, columns, scale, CHUNK: tl.constexpr, WIDTH: tl.constexpr):
    """A chunk's rows are bounded by a minimum; what is done depends on a float that is passed."""
    chunk = tl.program_id(0)
    row = tl.arange(0, CHUNK)
    column = tl.arange(0, WIDTH)
    limit = min(CHUNK, rows - chunk * CHUNK)
    inside = (row[:, None] < limit) & (column[None, :] < columns)
    x = tl.load(x_ptr + (chunk * CHUNK + row)[:, None] * columns + column[None, :], mask=inside, other=0.0)
    x = x.to(tl.float32)
    if scale > 0:
        x = x * scale
    tl.store(sums_ptr + chunk, tl.sum(x))


@triton.jit
def grouped_scales(x_ptr, scale_ptr, y_ptr, rows, columns, GROUP: tl.constexpr, ROWS: tl.constexpr,
                   COLUMNS: tl.constexpr):
    """Several programs share a scale: its number is a quotient of the program's. Divided by the rows of the program,
    which are a minimum."""
    blocks = tl.cdiv(columns, COLUMNS)
    row_block, column_block = tl.program_id(0) // blocks, tl.program_id(0) % blocks
    row = row_block * ROWS + tl.arange(0, ROWS)
    column = column_block * COLUMNS + tl.arange(0, COLUMNS)
    offsets = row[:, None] * columns + column[None, :]
    x = tl.load(x_ptr + offsets, mask=row[:, None] < rows, other=0.0)
    scale = tl.load(scale_ptr + row_block * (columns // GROUP) + column // GROUP)
    count = min(ROWS, rows - row_block * ROWS)
    tl.store(y_ptr + offsets, x * scale[None, :] / count, mask=row[:, None] < rows)


@triton.jit
def sums_of_three_axes(x_ptr, sums_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    x = tl.load(x_ptr + tl.program_id(0) * A * B * C + (a * B + b) * C + c)
    tl.store(sums_ptr + tl.program_id(0), tl.sum(x))
