# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose scalars from memory decide what a program does."""
import triton
import triton.language as tl


@triton.jit
def chosen_rows(kind_ptr, x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    """Rows of kind 7 are doubled, in two blocks, those of kind -1 become zeros, all others stay."""
    row = tl.program_id(0)
    kind = tl.load(kind_ptr + row)
    if kind == -1:
        for start in range(0, columns, BLOCK):
            lane = start + tl.arange(0, BLOCK)
            tl.store(y_ptr + row * columns + lane, tl.zeros((BLOCK, ), tl.float32), mask=lane < columns)
        return
    tl.debug_barrier()
    for start in range(0, columns, BLOCK):
        lane = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + lane, mask=lane < columns, other=0.0)
        if kind == 7:
            x = x + x
        tl.store(y_ptr + row * columns + lane, x, mask=lane < columns)


@triton.jit
def rows_by_sum(x_ptr, w_ptr, y_ptr, N, BLOCK: tl.constexpr):
    """What is computed decides what is loaded and stored, two branches deep."""
    row, o = tl.program_id(0), tl.arange(0, BLOCK)
    inside = o < N
    x = tl.load(x_ptr + row * N + o, mask=inside, other=0.0)
    total = tl.sum(x)
    if total > 2:
        tl.store(y_ptr + row * N + o, x * tl.load(w_ptr + o, mask=inside, other=0.0), mask=inside)
    else:
        if total > -2:
            x = -x
        if total < 1:
            tl.store(y_ptr + row * N + o, x, mask=inside)


@triton.jit
def greedy(x_ptr, place_ptr, N, BLOCK: tl.constexpr):
    """The place of the largest of a row, block by block."""
    row = tl.program_id(0)
    best, place = -float("inf"), 0
    for start in range(0, N, BLOCK):
        o = start + tl.arange(0, BLOCK)
        largest, at = tl.max(tl.load(x_ptr + row * N + o, mask=o < N, other=-float("inf")), 0, return_indices=True)
        if largest > best:
            best = largest
            place = start + at
    tl.store(place_ptr + row, place)


@triton.jit
def histogram(x_ptr, counts_ptr, N, BINS: tl.constexpr, BLOCK: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + o, mask=o < N, other=0)
    tl.store(counts_ptr + row * BINS + tl.arange(0, BINS), tl.histogram(x, BINS, mask=o < N))


@triton.jit
def rows_between(first_ptr, last_ptr, x_ptr, y_ptr, columns, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    """Doubles the rows of several ranges, every so-manieth row of all by one program."""
    row = tl.program_id(0)
    for part in range(2):
        first, last = tl.load(first_ptr + part), tl.load(last_ptr + part)
        while row >= first and row <= last:
            offset = tl.arange(0, BLOCK)
            x = tl.load(x_ptr + row * columns + offset, mask=offset < columns, other=0.0)
            tl.store(y_ptr + row * columns + offset, 2 * x, mask=offset < columns)
            row += PROGRAMS


@triton.jit
def counted(y_ptr, n, STEP: tl.constexpr, BLOCK: tl.constexpr):
    """A loop over a range, written with `while`."""
    i = tl.program_id(0) * BLOCK
    total = tl.zeros([BLOCK], tl.float32)
    while i < n:
        total += i
        i += STEP
    tl.store(y_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), total)


@triton.jit
def restarted_sums(x_ptr, y_ptr, length, steps, BLOCK: tl.constexpr):
    """Row i of y is the sum of rows i * length to i * length + length - 1 of x, in one loop whose branch starts anew."""
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, ), tl.float32)
    for step in range(steps):
        total += tl.load(x_ptr + step * BLOCK + lanes)
        if step % length == length - 1:
            tl.store(y_ptr + step // length * BLOCK + lanes, total)
            total = tl.zeros((BLOCK, ), tl.float32)
