# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products for tests: every stride, element type and epilogue is an argument."""
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K, am, ak, bk, bn, cm, cn, BM: tl.constexpr, BN: tl.constexpr,
            BK: tl.constexpr, EPILOGUE: tl.constexpr = "none"):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    in_rows = rows[:, None] < M
    in_columns = columns[None, :] < N
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        depth = start + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * am + depth[None, :] * ak, mask=in_rows & (depth[None, :] < K), other=0.0)
        b = tl.load(b_ptr + depth[:, None] * bk + columns[None, :] * bn, mask=(depth[:, None] < K) & in_columns,
                    other=0.0)
        total = tl.dot(a, b, total)
    if EPILOGUE == "relu":
        total = tl.maximum(total, 0.0)
    elif EPILOGUE == "silu":
        total = total * tl.sigmoid(total)
    elif EPILOGUE == "scale":
        total = total * 0.125 + 1.0
    tl.store(c_ptr + rows[:, None] * cm + columns[None, :] * cn, total.to(c_ptr.dtype.element_ty),
             mask=in_rows & in_columns)


@triton.jit
def wrapped_product(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Rows and columns past the end wrap around, with 64-bit offsets: two `%` feed one address."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    a = a_ptr + (rows % M).to(tl.int64)[:, None] * K + depth[None, :]
    b = b_ptr + depth[:, None].to(tl.int64) * N + (columns % N)[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for step in range(tl.cdiv(K, BK)):
        left = K - step * BK
        total = tl.dot(tl.load(a, mask=depth[None, :] < left, other=0.0),
                       tl.load(b, mask=depth[:, None] < left, other=0.0), total)
        a += BK
        b += BK * N
    c = c_ptr + rows.to(tl.int64)[:, None] * N + columns[None, :]
    tl.store(c, total.to(tl.bfloat16), mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def doubly_wrapped(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """A copy whose one pointer has a `%` on both axes."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    x = tl.load(x_ptr + (rows % M)[:, None] * N + (columns % N)[None, :])
    tl.store(y_ptr + rows[:, None] * N + columns[None, :], x, mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def product_of_batches(a_ptr, b_ptr, c_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    batch, row, column, depth = tl.arange(0, B), tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a = tl.load(a_ptr + batch[:, None, None] * M * K + row[None, :, None] * K + depth[None, None, :])
    b = tl.load(b_ptr + batch[:, None, None] * K * N + depth[None, :, None] * N + column[None, None, :])
    tl.store(c_ptr + batch[:, None, None] * M * N + row[None, :, None] * N + column[None, None, :], tl.dot(a, b))
