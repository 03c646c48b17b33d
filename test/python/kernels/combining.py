# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that combine lanes with all their digits: integers, places of extremes."""
import triton
import triton.language as tl


@triton.jit
def integers(x_ptr, y_ptr, rows, columns, AXIS: tl.constexpr, OPERATION: tl.constexpr, ROWS: tl.constexpr,
             COLUMNS: tl.constexpr):
    """A block of int32 along one axis; a program takes one block."""
    row, column = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    x = tl.load(x_ptr + row[:, None] * columns + column[None, :], mask=inside, other=0)
    if OPERATION == "sum":
        y = tl.sum(x, axis=AXIS)
    elif OPERATION == "max":
        y = tl.max(x, axis=AXIS)
    else:
        y = tl.min(x, axis=AXIS)
    if AXIS == 1:
        tl.store(y_ptr + row, y, mask=row < rows)
    else:
        tl.store(y_ptr + column, y, mask=column < columns)


@triton.jit
def count_and_total(x_ptr, count_ptr, total_ptr, least_ptr, n, BLOCK: tl.constexpr):
    """A vector, block after block: how many are positive, their sum and the least."""
    count, total, least = 0, 0, 2147483647
    for start in range(0, n, BLOCK):
        offset = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offset, mask=offset < n, other=0)
        count += tl.sum((x > 0).to(tl.int32), axis=0)
        total += tl.sum(x, axis=0)
        least = tl.minimum(least, tl.min(x, axis=0))
    tl.store(count_ptr, count)
    tl.store(total_ptr, total)
    tl.store(least_ptr, least)


@triton.jit
def places(x_ptr, largest_ptr, first_ptr, last_ptr, rows, columns, AXIS: tl.constexpr, ROWS: tl.constexpr,
           COLUMNS: tl.constexpr):
    """The largest of each row or column, where it is first, and where the smallest is."""
    row, column = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    address = row[:, None] * columns + column[None, :]
    x = tl.load(x_ptr + address, mask=inside, other=-float("inf")).to(tl.float32)
    largest, first = tl.max(x, axis=AXIS, return_indices=True)
    low = tl.argmin(tl.where(inside, x, float("inf")), axis=AXIS)
    kept = row if AXIS == 1 else column
    some = kept < rows if AXIS == 1 else kept < columns
    tl.store(largest_ptr + kept, largest, mask=some)
    tl.store(first_ptr + kept, first, mask=some)
    tl.store(last_ptr + kept, low, mask=some)


@triton.jit
def first_largest(x_ptr, place_ptr, columns, BLOCK: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=-float("inf"))
    tl.store(place_ptr + row, tl.argmax(x, axis=0))


@triton.jit
def choices(x_ptr, weight_ptr, choice_ptr, experts, BLOCK: tl.constexpr):
    """A router: the softmax of a row's logits at its largest, and which that is."""
    row, expert = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * experts + expert, mask=expert < experts, other=-float("inf"))
    choice = tl.argmax(x, axis=0)
    largest = tl.max(x, axis=0)
    total = tl.sum(tl.exp(x - largest), axis=0)
    tl.store(choice_ptr + row, choice)
    tl.store(weight_ptr + row, 1 / total)


@triton.jit
def running_totals(x_ptr, y_ptr, n, BLOCK: tl.constexpr, REVERSE: tl.constexpr):
    """Sums up to each lane of a vector that shares no tile with others."""
    offset = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offset, mask=offset < n, other=0)
    tl.store(y_ptr + offset, tl.cumsum(x, axis=0, reverse=REVERSE), mask=offset < n)


@triton.jit
def running_rows(x_ptr, y_ptr, rows, columns, AXIS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    inside = (row < rows) & (column < columns)
    x = tl.load(x_ptr + row * columns + column, mask=inside, other=0)
    tl.store(y_ptr + row * columns + column, tl.cumsum(x, axis=AXIS), mask=inside)


@triton.jit
def quotients(x_ptr, d_ptr, number_ptr, rest_ptr, quotient_ptr, mixed_ptr, n, DIVISOR: tl.constexpr, BLOCK: tl.constexpr):
    """Numbers of lanes divided by a constant; data by a constant and by data."""
    offset = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offset < n
    x = tl.load(x_ptr + offset, mask=inside, other=0)
    d = tl.load(d_ptr + offset, mask=inside, other=1)
    tl.store(number_ptr + offset, offset // DIVISOR * 1000 + offset % DIVISOR, mask=inside)
    tl.store(rest_ptr + offset, x % DIVISOR, mask=inside)
    tl.store(quotient_ptr + offset, x // DIVISOR, mask=inside)
    tl.store(mixed_ptr + offset, x // d, mask=inside)


@triton.jit
def int8_product(a_ptr, b_ptr, c_ptr, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row, column = tl.arange(0, M), tl.arange(0, N)
    total = tl.zeros([M, N], tl.int32)
    for start in range(0, k, K):
        depth = start + tl.arange(0, K)
        a = tl.load(a_ptr + row[:, None] * k + depth[None, :], mask=(row[:, None] < m) & (depth[None, :] < k), other=0)
        b = tl.load(b_ptr + depth[:, None] * n + column[None, :], mask=(depth[:, None] < k) & (column[None, :] < n), other=0)
        total = tl.dot(a, b, total)
    tl.store(c_ptr + row[:, None] * n + column[None, :], total, mask=(row[:, None] < m) & (column[None, :] < n))


@triton.jit
def gated(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """A product whose columns are pairs of a gate and a value."""
    row, column, depth = tl.arange(0, M), tl.arange(0, 2 * N), tl.arange(0, K)
    a = tl.load(a_ptr + row[:, None] * K + depth[None, :])
    b = tl.load(b_ptr + depth[:, None] * 2 * N + column[None, :])
    gate, value = tl.split(tl.reshape(tl.dot(a, b), (M, N, 2)))
    tl.store(c_ptr + row[:, None] * N + tl.arange(0, N)[None, :], gate * tl.sigmoid(gate) * value)


@triton.jit
def every_third(x_ptr, y_ptr, n, DIVISOR: tl.constexpr, BLOCK: tl.constexpr):
    """Lanes chosen by a remainder."""
    offset = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offset, mask=offset < n, other=0.0)
    tl.store(y_ptr + offset, tl.where(offset % DIVISOR == 1, x, -x), mask=offset < n)


@triton.jit
def digits(y_ptr, n, A: tl.constexpr, B: tl.constexpr, BLOCK: tl.constexpr):
    """Digits of lane numbers: remainders of quotients and quotients of remainders."""
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = (lane // A) % B + 100 * ((lane % (A * B)) // B) + 10000 * ((lane // A) % B == 0).to(tl.int32)
    tl.store(y_ptr + lane, y, mask=lane < n)


@triton.jit
def merge_moments(mean, scatter, count, next_mean, next_scatter, next_count):
    total = count + next_count
    distance = next_mean - mean
    share = tl.where(total == 0, 0.0, next_count / total)
    return mean + distance * share, scatter + next_scatter + distance * distance * count * share, total


@triton.jit
def moments_of_rows(x_ptr, mean_ptr, variance_ptr, N, BLOCK: tl.constexpr):
    """Welford's: each lane counts for one, those beyond the row for none."""
    row, o = tl.program_id(0), tl.arange(0, BLOCK)
    inside = o < N
    x = tl.load(x_ptr + row * N + o, mask=inside, other=0.0)
    mean, scatter, count = tl.reduce((x, tl.zeros_like(x), inside.to(tl.float32)), 0, merge_moments)
    tl.store(mean_ptr + row, mean)
    tl.store(variance_ptr + row, scatter / count)


@triton.jit
def merge_exponentials(largest, total, next_largest, next_total):
    both = tl.maximum(largest, next_largest)
    return both, total * tl.exp(largest - both) + next_total * tl.exp(next_largest - both)


@triton.jit
def log_of_sum(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + o, mask=o < N, other=-1e30)
    largest, total = tl.reduce((x, tl.full((BLOCK, ), 1.0, tl.float32)), 0, merge_exponentials)
    tl.store(y_ptr + row, largest + tl.log(total))


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def product_of_lanes(x_ptr, y_ptr, M, N, AXIS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    inside = (row[:, None] < M) & (column[None, :] < N)
    y = tl.reduce(tl.load(x_ptr + row[:, None] * N + column[None, :], mask=inside, other=1.0), AXIS, multiply)
    kept, extent = (column, N) if AXIS == 0 else (row, M)
    tl.store(y_ptr + kept, y, mask=kept < extent)


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def largest_so_far(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n, other=-1e9)
    tl.store(y_ptr + o, tl.associative_scan(x, 0, larger), mask=o < n)
