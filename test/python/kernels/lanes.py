# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that combine, take apart and number the lanes of tiles."""
import triton
import triton.language as tl


@triton.jit
def cumsum_rows(x_ptr, y_ptr, columns, BLOCK: tl.constexpr, REVERSE: tl.constexpr):
    """Prefix sums of each row, carried over blocks when they go forward."""
    row = tl.program_id(0)
    before = 0.0
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=0.0).to(tl.float32)
        y = tl.cumsum(x, axis=0, reverse=REVERSE) + before
        tl.store(y_ptr + row * columns + column, y, mask=column < columns)
        before += tl.sum(x, axis=0)


@triton.jit
def compose(a, b, c, d):
    return a * c, b * c + d


@triton.jit
def recurrence(a_ptr, b_ptr, h_ptr, STEPS: tl.constexpr, WIDTH: tl.constexpr):
    """h[t] = a[t] h[t - 1] + b[t] down each column, as a scan of pairs."""
    place = tl.arange(0, STEPS)[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :]
    _, h = tl.associative_scan((tl.load(a_ptr + place), tl.load(b_ptr + place)), 0, compose)
    tl.store(h_ptr + place, h)


@triton.jit
def cumprod_columns(x_ptr, y_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    place = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(y_ptr + place, tl.cumprod(tl.load(x_ptr + place), axis=0))


@triton.jit
def welford(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    n = n_a + n_b
    share = tl.where(n == 0.0, 0.0, n_b / n)
    delta = mean_b - mean_a
    return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n


@triton.jit
def moments(x_ptr, mean_ptr, variance_ptr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * BLOCK + tl.arange(0, BLOCK))
    mean, m2, n = tl.reduce((x, tl.zeros_like(x), tl.full([BLOCK], 1.0, tl.float32)), 0, welford)
    tl.store(mean_ptr + row, mean)
    tl.store(variance_ptr + row, m2 / n)


@triton.jit
def extremes(x_ptr, top_ptr, where_ptr, bottom_ptr, columns, BLOCK: tl.constexpr):
    """The largest of each row with its place, and the place of the smallest."""
    row, column = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=-float("inf"))
    top, where = tl.max(x, axis=0, return_indices=True)
    tl.store(top_ptr + row, top)
    tl.store(where_ptr + row, where)
    low = tl.where(column < columns, x, float("inf"))
    tl.store(bottom_ptr + row, tl.argmin(low, axis=0))


@triton.jit
def rope_pairs(x_ptr, cos_ptr, sin_ptr, y_ptr, rows, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """Rotates neighbouring pairs of columns: taken apart, and joined again."""
    row, column, pair = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, WIDTH), tl.arange(0, WIDTH // 2)
    inside = row[:, None] < rows
    x = tl.load(x_ptr + row[:, None] * WIDTH + column[None, :], mask=inside, other=0.0).to(tl.float32)
    a, b = tl.split(tl.reshape(x, (BLOCK, WIDTH // 2, 2)))
    place = row[:, None] * (WIDTH // 2) + pair[None, :]
    c = tl.load(cos_ptr + place, mask=inside, other=0.0)
    s = tl.load(sin_ptr + place, mask=inside, other=0.0)
    y = tl.reshape(tl.join(a * c - b * s, b * c + a * s), (BLOCK, WIDTH))
    tl.store(y_ptr + row[:, None] * WIDTH + column[None, :], y.to(y_ptr.dtype.element_ty), mask=inside)


@triton.jit
def parts_of_sum(x_ptr, y_ptr, z_ptr, BLOCK: tl.constexpr):
    """Parts of a tile that is computed across lanes, which no load can move."""
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane)
    a, b = tl.split(tl.reshape(tl.cumsum(x, 0), (BLOCK // 2, 2)))
    tl.store(y_ptr + tl.arange(0, BLOCK), tl.cat(b, a, can_reorder=True))
    tl.store(z_ptr + tl.arange(0, BLOCK), tl.interleave(b, a))


@triton.jit
def random(y_ptr, n, seed, BLOCK: tl.constexpr):
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + lane, tl.rand(seed, lane), mask=lane < n)


@triton.jit
def unpack(q_ptr, y_ptr, BLOCK: tl.constexpr):
    """Eight 4-bit integers of each word, the lowest first, minus 8."""
    lane = tl.arange(0, BLOCK)
    word = tl.load(q_ptr + lane)
    shift = tl.arange(0, 8) * 4
    y = ((word[:, None] >> shift[None, :]) & 0xF) - 8
    tl.store(y_ptr + lane[:, None] * 8 + tl.arange(0, 8)[None, :], y.to(tl.float32))


@triton.jit
def products(a_ptr, b_ptr, c_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """A product of each pair of a batch, laid side by side."""
    b, m, n, k = tl.arange(0, B), tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x = tl.load(a_ptr + b[:, None, None] * (M * K) + m[None, :, None] * K + k[None, None, :])
    y = tl.load(b_ptr + b[:, None, None] * (K * N) + k[None, :, None] * N + n[None, None, :])
    c = tl.reshape(tl.permute(tl.dot(x, y), (1, 0, 2)), (M, B * N))
    tl.store(c_ptr + m[:, None] * (B * N) + tl.arange(0, B * N)[None, :], c)


@triton.jit
def five_axes(x_ptr, y_ptr):
    """[2, 4, 8, 16] with a new axis in the middle, turned around and back to one."""
    x = tl.load(x_ptr + tl.arange(0, 1024))
    x = tl.reshape(x, (2, 4, 8, 16))[:, :, None, :, :]
    x = tl.permute(x, (4, 2, 0, 3, 1))
    tl.store(y_ptr + tl.arange(0, 1024), tl.reshape(x, (1024, )))


@triton.jit
def some_lanes(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """What a lane does depends on digits of its number."""
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=lane < n, other=0.0)
    x = tl.where(lane % 4 > 0, x, -1.0)
    x = tl.where((lane // 8) % 2 == 0, x, x * 2.0)
    tl.store(y_ptr + lane, x, mask=lane < n)


@triton.jit
def some_of_a_tile(x_ptr, y_ptr, stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + row * stride + column)
    x = tl.where(column % 8 > 2, x, 0.5)
    x = tl.where((row % 2 == 0) & (column > 9), x, x + 1.0)
    tl.store(y_ptr + row * COLUMNS + column, x)


@triton.jit
def max_pool(x_ptr, y_ptr, length, out_length, BLOCK: tl.constexpr):
    """Windows of three at every other place, with one place of padding."""
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    largest = tl.full((BLOCK, ), -float("inf"), tl.float32)
    for k in tl.static_range(3):
        at = 2 * place + k - 1
        largest = tl.maximum(largest, tl.load(x_ptr + at, mask=(at >= 0) & (at < length), other=-float("inf")))
    tl.store(y_ptr + place, largest, mask=place < out_length)


@triton.jit
def max_pool_2d(x_ptr, y_ptr, H, W, out_H, out_W, STEP: tl.constexpr, BH: tl.constexpr, BW: tl.constexpr):
    """Windows of three by three in an image, with one place of padding around it."""
    image = tl.program_id(0)
    row, column = tl.program_id(1) * BH + tl.arange(0, BH), tl.arange(0, BW)
    largest = tl.full((BH, BW), -float("inf"), tl.float32)
    for i in tl.static_range(3):
        for j in tl.static_range(3):
            h, w = row * STEP + i - 1, column * STEP + j - 1
            inside = (h[:, None] >= 0) & (h[:, None] < H) & (w[None, :] >= 0) & (w[None, :] < W)
            at = image * H * W + h[:, None] * W + w[None, :]
            largest = tl.maximum(largest, tl.load(x_ptr + at, mask=inside, other=-float("inf")))
    at = image * out_H * out_W + row[:, None] * out_W + column[None, :]
    tl.store(y_ptr + at, largest, mask=(row[:, None] < out_H) & (column[None, :] < out_W))


@triton.jit
def centred_parts(x_ptr, y_ptr, length, parts, BLOCK: tl.constexpr):
    """All of a program's elements in one, then part by part, each a row of an array of other rows."""
    x_ptr += tl.program_id(0) * length
    y_ptr += tl.program_id(0) * length
    lane = tl.arange(0, BLOCK)
    total = 0.0
    for start in range(0, length, BLOCK):
        total += tl.sum(tl.load(x_ptr + start + lane, mask=start + lane < length, other=0.0))
    part_length = length // parts
    for part in range(parts):
        x = tl.load(x_ptr + part * part_length + lane, mask=lane < part_length, other=0.0)
        tl.store(y_ptr + part * part_length + lane, x - total / length, mask=lane < part_length)


@triton.jit
def gapped_tiles(x_ptr, c_ptr, y_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    """Tiles in turn, of every other column of an array that starts behind its pointer, and a number a row."""
    across = tl.cdiv(columns, BN)
    for tile in range(tl.program_id(0), tl.cdiv(rows, BM) * across, tl.num_programs(0)):
        row = (tile // across) * BM + tl.arange(0, BM)
        column = (tile % across) * BN + tl.arange(0, BN)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        x = tl.load(x_ptr + 33 + row[:, None] * 66 + column[None, :] * 2, mask=inside, other=0.0)
        c = tl.load(c_ptr + row, mask=row < rows, other=0.0)
        tl.store(y_ptr + row[:, None] * columns + column[None, :], x + c[:, None], mask=inside)


@triton.jit
def gathered_columns(x_ptr, id_ptr, y_ptr, tokens, columns, stride, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """Rows by number from an array that lies column by column."""
    token = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.arange(0, WIDTH)
    inside = (token[:, None] < tokens) & (column[None, :] < columns)
    id = tl.load(id_ptr + token, mask=token < tokens, other=0)
    x = tl.load(x_ptr + id[:, None] + column[None, :] * stride, mask=inside, other=0.0)
    tl.store(y_ptr + token[:, None] * columns + column[None, :], x, mask=inside)


@triton.jit
def numbered_rows(x_ptr, id_ptr, y_ptr, rows, known, OTHER: tl.constexpr, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """Rows by number; those from `known` on are row OTHER."""
    row, column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, WIDTH)
    id = tl.load(id_ptr + row, mask=row < known, other=OTHER)
    x = tl.load(x_ptr + id[:, None] * WIDTH + column[None, :], mask=row[:, None] < rows, other=0.0)
    tl.store(y_ptr + row[:, None] * WIDTH + column[None, :], x, mask=row[:, None] < rows)


@triton.jit
def rows_to_numbers(x_ptr, id_ptr, y_ptr, known, rows: tl.constexpr, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """y[id[i]] = x[i]; rows from `known` on go nowhere."""
    row, column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, WIDTH)
    id = tl.load(id_ptr + row, mask=row < known, other=rows)
    x = tl.load(x_ptr + row[:, None] * WIDTH + column[None, :], mask=row[:, None] < rows, other=0.0)
    tl.store(y_ptr + id[:, None] * WIDTH + column[None, :], x, mask=id[:, None] < rows)


@triton.jit
def digits_of_a_row(x_ptr, y_ptr, N: tl.constexpr):
    """Quotients and remainders of columns in a tile of one row."""
    column = tl.arange(0, N)[None, :]
    digits = (column % 7).to(tl.float32) + 10 * (column // 9).to(tl.float32)
    tl.store(y_ptr + column, tl.load(x_ptr + column) * digits)


@triton.jit
def mirrored_columns(x_ptr, y_ptr, rows, columns, first, BM: tl.constexpr, BN: tl.constexpr):
    """Columns from `first` on, stored from the right; rows fill the array."""
    row, column = tl.arange(0, BM)[:, None], tl.program_id(0) * BN + tl.arange(0, BN)[None, :]
    inside = (row < rows) & (column >= first) & (column < columns)
    x = tl.load(x_ptr + row * columns + column, mask=inside)
    tl.store(y_ptr + (columns - 1) + row * columns - column, x, mask=inside)


@triton.jit
def look_up_vector(index_ptr, table_ptr, x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """A vector of looked-up elements, with one that lies in memory order."""
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    index = tl.load(index_ptr + lane, mask=lane < n, other=0)
    x = tl.load(x_ptr + lane, mask=lane < n, other=0.0)
    tl.store(y_ptr + lane, tl.load(table_ptr + index, mask=lane < n, other=0.0) + x, mask=lane < n)


@triton.jit
def look_up_both_ways(from_ptr, to_ptr, x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """Elements that are looked up go to places that are looked up."""
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    source = tl.load(from_ptr + lane, mask=lane < n, other=0)
    target = tl.load(to_ptr + lane, mask=lane < n, other=0)
    tl.store(y_ptr + target, 2 * tl.load(x_ptr + source, mask=lane < n), mask=lane < n)


@triton.jit
def first_numbered(x_ptr, y_ptr, n, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Lanes are numbered through all rows, by pairs too: nothing but bf16 is computed with."""
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    number = row * COLUMNS + column
    x = tl.load(x_ptr + number)
    tl.store(y_ptr + number, tl.where(number < n, x + x, tl.where(column // 2 >= row // 4, x, -1.0)))


@triton.jit
def far_numbers(x_ptr, number_ptr, y_ptr, first, n, BLOCK: tl.constexpr):
    """Numbers of lanes that no float holds."""
    lane = tl.arange(0, BLOCK)
    tl.store(number_ptr + lane, first + lane)
    tl.store(y_ptr + lane, tl.where(lane * 1000003 < n, tl.load(x_ptr + lane), -1.0))


@triton.jit
def every_fourth_pair(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """Lanes that a remainder or a quotient leaves: those between them are neither read nor written."""
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=(lane // 2 % 4 == 1) & (lane // 4 < n // 5), other=-1.0)
    tl.store(y_ptr + lane, x, mask=(lane % 2 == 0) & (lane < n))


@triton.jit
def look_up_backwards(index_ptr, table_ptr, y_ptr, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    index = tl.load(index_ptr + (BLOCK - 1) - lane)
    tl.store(y_ptr + lane, tl.load(table_ptr + index))


@triton.jit
def some_or_all(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    lanes, program = tl.arange(0, BLOCK), tl.program_id(0)
    x = tl.load(x_ptr + program * BLOCK + lanes, mask=(lanes < n) | (program == 1), other=7.0)
    tl.store(y_ptr + program * BLOCK + lanes, x)


@triton.jit
def add_one(x_ptr, y_ptr, z_ptr):
    program = tl.program_id(0)
    tl.store(z_ptr + program, tl.load(x_ptr + program) + tl.load(y_ptr + program))


@triton.jit
def halves_in_turn(y_ptr, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    value = lanes.to(tl.float32) + 2
    for _ in range(n):
        value = value * 0.5
    tl.store(y_ptr + lanes, value)
