# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose addresses, bounds and control depend on data, for the tests."""
import triton
import triton.language as tl


@triton.jit
def sum_of_lengths(x_ptr, n_ptr, y_ptr, stride, BLOCK: tl.constexpr):
    """Rows of lengths read from memory; an empty row is left out."""
    row = tl.program_id(0)
    n = tl.load(n_ptr + row)
    if n > 0:
        total = 0.0
        for start in range(0, n, BLOCK):
            at = start + tl.arange(0, BLOCK)
            total += tl.sum(tl.load(x_ptr + row * stride + at, mask=at < n, other=0.0), 0)
        tl.store(y_ptr + row, total)


@triton.jit
def sum_of_pages(x_ptr, table_ptr, n_ptr, y_ptr, pages, PAGE: tl.constexpr, WIDTH: tl.constexpr):
    """A sequence in pages, found through a table."""
    sequence = tl.program_id(0)
    n = tl.load(n_ptr + sequence)
    column = tl.arange(0, WIDTH)
    total = tl.zeros([WIDTH], tl.float32)
    for number in range(0, tl.cdiv(n, PAGE)):
        page = tl.load(table_ptr + sequence * pages + number).to(tl.int64)
        at = tl.arange(0, PAGE)
        inside = (number * PAGE + at)[:, None] < n
        x = tl.load(x_ptr + page * (PAGE * WIDTH) + at[:, None] * WIDTH + column[None, :], mask=inside, other=0.0)
        total += tl.sum(x, 0)
    tl.store(y_ptr + sequence * WIDTH + column, total)


@triton.jit
def gather_rows(x_ptr, ids_ptr, y_ptr, count, rows, width, EACH: tl.constexpr, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """y[i] = x[ids[i] // EACH]; ids beyond the rows give zeros."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ids = tl.load(ids_ptr + at, mask=at < count, other=rows * EACH)
    column = tl.arange(0, WIDTH)
    inside = (ids < rows * EACH)[:, None] & (column[None, :] < width)
    x = tl.load(x_ptr + (ids // EACH)[:, None] * width + column[None, :], mask=inside, other=0.0)
    tl.store(y_ptr + at[:, None] * width + column[None, :], x, mask=(at[:, None] < count) & (column[None, :] < width))


@triton.jit
def scatter_rows(x_ptr, ids_ptr, y_ptr, rows, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    """y[ids[i]] = 2 * x[i] where ids[i] is a row."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ids = tl.load(ids_ptr + at)
    column = tl.arange(0, WIDTH)
    x = tl.load(x_ptr + at[:, None] * WIDTH + column[None, :])
    tl.store(y_ptr + ids[:, None] * WIDTH + column[None, :], 2.0 * x, mask=ids[:, None] < rows)


@triton.jit
def label_of_rows(x_ptr, label_ptr, y_ptr, stride):
    row = tl.program_id(0)
    label = tl.load(label_ptr + row)
    tl.store(y_ptr + row, tl.load(x_ptr + row * stride + label))


@triton.jit
def persistent_scale(x_ptr, y_ptr, rows, stride, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        x = tl.load(x_ptr + row * stride + at, mask=at < columns)
        tl.store(y_ptr + row * stride + at, x * 2.0, mask=at < columns)


@triton.jit
def persistent_product(a_ptr, b_ptr, c_ptr, M, N, K, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    """Grouped tile order inside the loop over tiles."""
    rows, columns = tl.cdiv(M, BLOCK), tl.cdiv(N, BLOCK)
    group = GROUP * columns
    for tile in range(tl.program_id(0), rows * columns, tl.num_programs(0)):
        first = tile // group * GROUP
        high = min(rows - first, GROUP)
        row = first + tile % group % high
        column = tile % group // high
        m, n, k = row * BLOCK + tl.arange(0, BLOCK), column * BLOCK + tl.arange(0, BLOCK), tl.arange(0, BLOCK)
        total = tl.zeros((BLOCK, BLOCK), tl.float32)
        for start in range(0, K, BLOCK):
            at = start + k
            a = tl.load(a_ptr + m[:, None] * K + at[None, :], mask=(m[:, None] < M) & (at[None, :] < K), other=0.0)
            b = tl.load(b_ptr + at[:, None] * N + n[None, :], mask=(at[:, None] < K) & (n[None, :] < N), other=0.0)
            total = tl.dot(a, b, total)
        tl.store(c_ptr + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def sums_of_blocks(x_ptr, y_ptr, rows, each, WIDTH: tl.constexpr):
    """Each program has `each` rows, the last one fewer; what it carries is data."""
    program = tl.program_id(0)
    column = tl.arange(0, WIDTH)
    total = tl.zeros([WIDTH], tl.float32)
    for row in range(program * each, min((program + 1) * each, rows)):
        total += tl.load(x_ptr + row * WIDTH + column)
    tl.store(y_ptr + program * WIDTH + column, total)


@triton.jit
def first_rows(x_ptr, n_ptr, y_ptr, BLOCK: tl.constexpr):
    """Programs beyond a loaded count return early."""
    row = tl.program_id(0)
    if row >= tl.load(n_ptr):
        return
    at = tl.arange(0, BLOCK)
    tl.store(y_ptr + row * BLOCK + at, tl.load(x_ptr + row * BLOCK + at) + 1.0)


@triton.jit
def either_way(x_ptr, y_ptr, BLOCK: tl.constexpr):
    """An `if` on the program id that gives a value."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * BLOCK + at)
    if row < 2:
        y = x * 3.0
    else:
        y = tl.exp(x)
    tl.store(y_ptr + row * BLOCK + at, y)


@triton.jit
def add_columns(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    """Every program adds its row to the one result."""
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * columns + at, mask=at < columns)
    tl.atomic_add(y_ptr + at, x, mask=at < columns)


@triton.jit
def greatest(x_ptr, y_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_max(y_ptr, tl.max(tl.load(x_ptr + at), 0))


@triton.jit
def extremes(x_ptr, low_ptr, high_ptr, lowest_ptr, columns, BLOCK: tl.constexpr):
    """Extremes of floats, of a tile and of a scalar, over all programs."""
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * columns + at, mask=at < columns, other=float("inf"))
    tl.atomic_min(low_ptr + at, x, mask=at < columns)
    tl.atomic_max(high_ptr + at, x, mask=at < columns)
    tl.atomic_min(lowest_ptr, tl.min(x, 0))


@triton.jit
def old_value(x_ptr, y_ptr):
    tl.store(y_ptr + tl.program_id(0), tl.atomic_add(x_ptr, 1.0))


@triton.jit
def old_extreme(x_ptr, y_ptr):
    tl.store(y_ptr + tl.program_id(0), tl.atomic_max(x_ptr, 1.0))


@triton.jit
def outside(x_ptr, y_ptr, low, high, n, BLOCK: tl.constexpr):
    """Masks that are no conjunction."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = (at < low) | ((at >= high) & (at < n))
    x = tl.load(x_ptr + at, mask=mask, other=-1.0)
    tl.store(y_ptr + at, x, mask=mask)


@triton.jit
def positive_only(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """A mask that data decides."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, x, mask=(at < n) & (x > 0))


@triton.jit
def positions(y_ptr, n, BLOCK: tl.constexpr):
    """Lane numbers and program ids as data."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, at.to(tl.float32) * 0.5 + tl.program_id(0), mask=at < n)


@triton.jit
def clamped_gather(x_ptr, ids_ptr, y_ptr, rows, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    """Ids computed with what is not affine."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ids = tl.minimum(tl.load(ids_ptr + at), rows - 1)
    column = tl.arange(0, WIDTH)
    x = tl.load(x_ptr + ids[:, None] * WIDTH + column[None, :])
    tl.store(y_ptr + at[:, None] * WIDTH + column[None, :], x)


@triton.jit
def alternating(x_ptr, y_ptr, count, BLOCK: tl.constexpr):
    """Digits of a loop variable as indices, and an `if` on one of them."""
    at = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for i in range(count):
        x = tl.load(x_ptr + (i // 3) * (4 * BLOCK) + (i % 3) * BLOCK + at)
        if i % 2 == 0:
            total += x
        else:
            total -= 2 * x
    tl.store(y_ptr + at, total)


@triton.jit
def several_returns(x_ptr, n_ptr, y_ptr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    if row == 3:
        return
    n = tl.load(n_ptr)
    if row >= n:
        return
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * BLOCK + at)
    if row < 2:
        x = x * 2
        if n > 4:
            x = x + 1
    tl.store(y_ptr + row * BLOCK + at, x)


@triton.jit
def strided_sums(x_ptr, y_ptr, rows, WIDTH: tl.constexpr):
    """Every program adds up each so many rows: trip counts that round up."""
    column = tl.arange(0, WIDTH)
    total = tl.zeros([WIDTH], tl.float32)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        total += tl.load(x_ptr + row * WIDTH + column)
    tl.store(y_ptr + tl.program_id(0) * WIDTH + column, total)


@triton.jit
def packed_sequences(x_ptr, start_ptr, y_ptr, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """Sequences one after the other, their starts in an array."""
    sequence = tl.program_id(0)
    start = tl.load(start_ptr + sequence)
    n = tl.load(start_ptr + sequence + 1) - start
    column = tl.arange(0, WIDTH)
    total = tl.zeros([WIDTH], tl.float32)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + (start + at)[:, None] * WIDTH + column[None, :], mask=at[:, None] < n, other=0.0)
        total += tl.sum(x, 0)
    tl.store(y_ptr + sequence * WIDTH + column, total)


@triton.jit
def kept(x_ptr, keep_ptr, y_ptr, BLOCK: tl.constexpr):
    """A mask from memory."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.load(keep_ptr + at)
    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=keep != 0, other=-5.0))


@triton.jit
def decided_by_sum(x_ptr, y_ptr, BLOCK: tl.constexpr):
    if tl.sum(tl.load(x_ptr + tl.arange(0, BLOCK)), 0) > 0:
        for i in range(BLOCK):  # a branch without a loop runs, masked
            tl.store(y_ptr + i, 1.0)


@triton.jit
def inner_block(x_ptr, y_ptr, stride, rows, columns, BLOCK: tl.constexpr):
    """A block in the middle of a larger array: its rows do not start where the array's do."""
    row, column = tl.arange(0, BLOCK)[:, None], tl.arange(0, BLOCK)[None, :]
    inside = (row < rows) & (column < columns)
    x = tl.load(x_ptr + row * columns + column, mask=inside, other=0.0)
    tl.store(y_ptr + 2 * stride + 5 + row * stride + column, x, mask=inside)


@triton.jit
def tiles_in_turn(x_ptr, y_ptr, rows, columns, BLOCK: tl.constexpr):
    across = tl.cdiv(columns, BLOCK)
    for tile in range(tl.program_id(0), tl.cdiv(rows, BLOCK) * across, tl.num_programs(0)):
        row, column = tile // across * BLOCK + tl.arange(0, BLOCK), tile % across * BLOCK + tl.arange(0, BLOCK)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        x = tl.load(x_ptr + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
        tl.store(y_ptr + row[:, None] * columns + column[None, :], x + 1.0, mask=inside)


@triton.jit
def product_of_descriptors(a_desc, b_desc, c_desc, K, BLOCK: tl.constexpr):
    """Of descriptors made on the host: what lies outside reads as zero and is not stored."""
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, K, BLOCK):
        total = tl.dot(a_desc.load([row, start]), b_desc.load([start, column]), total)
    c_desc.store([row, column], total)
