# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products that are taken apart in halves of their columns or rows."""
import triton
import triton.language as tl


@triton.jit
def column_halves(x, M: tl.constexpr, N: tl.constexpr):
    return tl.split(tl.permute(tl.reshape(x, (M, 2, N // 2)), (0, 2, 1)))


@triton.jit
def row_halves(x, M: tl.constexpr, N: tl.constexpr):
    return tl.split(tl.permute(tl.reshape(x, (2, M // 2, N)), (1, 2, 0)))


@triton.jit
def product(a_ptr, b_ptr, rows, columns, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        depth = start + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * k + depth[None, :], mask=(rows[:, None] < m) & (depth[None, :] < k), other=0.0)
        b = tl.load(b_ptr + depth[:, None] * n + columns[None, :], mask=(depth[:, None] < k) & (columns[None, :] < n),
                    other=0.0)
        total = tl.dot(a, b, total)
    return total


@triton.jit
def subtiled(a_ptr, b_ptr, bias_ptr, c_ptr, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
             ROWS: tl.constexpr):
    """The epilogue of a product in two parts, each with its part of the bias."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = product(a_ptr, b_ptr, rows, columns, m, n, k, BM, BN, BK)
    if ROWS:
        first, second = row_halves(total, BM, BN)
        row = tl.program_id(0) * BM + tl.arange(0, BM // 2)
        column = columns
    else:
        first, second = column_halves(total, BM, BN)
        row = rows
        column = tl.program_id(1) * BN + tl.arange(0, BN // 2)
    bias = tl.load(bias_ptr + column, mask=column < n, other=0.0)
    c = (first + bias[None, :]).to(tl.bfloat16)
    tl.store(c_ptr + row[:, None] * n + column[None, :], c, mask=(row[:, None] < m) & (column[None, :] < n))
    if ROWS:
        row += BM // 2
    else:
        column += BN // 2
    bias = tl.load(bias_ptr + column, mask=column < n, other=0.0)
    c = (second + bias[None, :]).to(tl.bfloat16)
    tl.store(c_ptr + row[:, None] * n + column[None, :], c, mask=(row[:, None] < m) & (column[None, :] < n))


@triton.jit
def gated_halves(a_ptr, b_ptr, c_ptr, k, M: tl.constexpr, N: tl.constexpr, BK: tl.constexpr, ROWS: tl.constexpr):
    """One half of a product gates the other, and is summed up."""
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    total = product(a_ptr, b_ptr, rows, columns, M, N, k, M, N, BK)
    if ROWS:
        gate, value = row_halves(total, M, N)
        row, column, WIDTH = tl.arange(0, M // 2), columns, N
    else:
        gate, value = column_halves(total, M, N)
        row, column, WIDTH = rows, tl.arange(0, N // 2), N // 2
    scale = tl.sum(value * value, axis=1)
    tl.store(c_ptr + row[:, None] * WIDTH + column[None, :], gate * tl.sigmoid(gate) * value / scale[:, None])
