# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on tiles of three axes and more."""
import triton
import triton.language as tl


@triton.jit
def combine(x_ptr, y_ptr, planes, rows, columns, AXIS: tl.constexpr, OPERATION: tl.constexpr, PLANES: tl.constexpr,
            ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    plane, row, column = tl.arange(0, PLANES), tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    p, r, c = plane[:, None, None], row[None, :, None], column[None, None, :]
    inside = (p < planes) & (r < rows) & (c < columns)
    x = tl.load(x_ptr + (p * rows + r) * columns + c, mask=inside, other=0.0).to(tl.float32)
    if OPERATION == "sum":
        y = tl.sum(x, axis=AXIS)
    else:
        y = tl.max(tl.where(inside, x, -float("inf")), axis=AXIS)
    if AXIS == 0:
        tl.store(y_ptr + row[:, None] * columns + column[None, :], y, mask=(row[:, None] < rows) & (column[None, :] < columns))
    elif AXIS == 1:
        tl.store(y_ptr + plane[:, None] * columns + column[None, :], y,
                 mask=(plane[:, None] < planes) & (column[None, :] < columns))
    else:
        tl.store(y_ptr + plane[:, None] * rows + row[None, :], y, mask=(plane[:, None] < planes) & (row[None, :] < rows))


@triton.jit
def softmax(x_ptr, y_ptr, planes, rows, columns, AXIS: tl.constexpr, PLANES: tl.constexpr, ROWS: tl.constexpr,
            COLUMNS: tl.constexpr):
    p, r = tl.arange(0, PLANES)[:, None, None], tl.arange(0, ROWS)[None, :, None]
    c = tl.arange(0, COLUMNS)[None, None, :]
    inside = (p < planes) & (r < rows) & (c < columns)
    address = (p * rows + r) * columns + c
    x = tl.load(x_ptr + address, mask=inside, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=AXIS, keep_dims=True))
    tl.store(y_ptr + address, e / tl.sum(e, axis=AXIS, keep_dims=True), mask=inside)


@triton.jit
def outer_product(a_ptr, b_ptr, c_ptr, y_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr,
                  E: tl.constexpr):
    """Five axes, of which each operand has some."""
    i = tl.arange(0, A)[:, None, None, None, None]
    j = tl.arange(0, B)[None, :, None, None, None]
    k = tl.arange(0, C)[None, None, :, None, None]
    m = tl.arange(0, D)[None, None, None, :, None]
    n = tl.arange(0, E)[None, None, None, None, :]
    a = tl.load(a_ptr + i * C + k)
    b = tl.load(b_ptr + j * E + n)
    c = tl.load(c_ptr + m)
    y = a * b + c
    tl.store(y_ptr + (((i * B + j) * C + k) * D + m) * E + n, y)


@triton.jit
def batched_attention(q_ptr, k_ptr, v_ptr, o_ptr, positions, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """Tiles with an axis of one head before the others, as Helion writes them."""
    head = tl.program_id(0) + tl.arange(0, 1)
    row, lane = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, WIDTH)
    base = head[:, None, None] * positions * WIDTH
    q = tl.load(q_ptr + base + row[None, :, None] * WIDTH + lane[None, None, :], mask=row[None, :, None] < positions, other=0.0)
    largest = tl.full([1, BLOCK], -float("inf"), tl.float32)
    sums = tl.zeros([1, BLOCK], tl.float32)
    total = tl.zeros([1, BLOCK, WIDTH], tl.float32)
    for start in range(0, positions, BLOCK):
        key = start + tl.arange(0, BLOCK)
        inside = key[None, None, :] < positions
        k = tl.load(k_ptr + base + key[None, None, :] * WIDTH + lane[None, :, None], mask=inside, other=0.0)
        v = tl.load(v_ptr + base + key[None, :, None] * WIDTH + lane[None, None, :], mask=key[None, :, None] < positions,
                    other=0.0)
        scores = tl.where(inside, tl.dot(q, k) * 0.125, -float("inf"))
        larger = tl.maximum(largest, tl.max(scores, axis=2))
        p = tl.exp(scores - larger[:, :, None])
        shrink = tl.exp(largest - larger)
        sums = sums * shrink + tl.sum(p, axis=2)
        total = tl.dot(p.to(v.dtype), v, total * shrink[:, :, None])
        largest = larger
    tl.store(o_ptr + base + row[None, :, None] * WIDTH + lane[None, None, :], total / sums[:, :, None],
             mask=row[None, :, None] < positions)
