# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on float16."""
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row, column = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    sums = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        a = tl.load(a_ptr + row[:, None] * K + k[None, :], mask=(row[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + column[None, :], mask=(k[:, None] < K) & (column[None, :] < N), other=0.0)
        sums = tl.dot(a, b, sums)
    at = row[:, None] * N + column[None, :]
    tl.store(c_ptr + at, sums.to(tl.float16), mask=(row[:, None] < M) & (column[None, :] < N))


@triton.jit
def add_scaled(x_ptr, y_ptr, scale, n, BLOCK: tl.constexpr):
    """In place, of float16 and float32."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n, other=-float("inf"))
    tl.store(x_ptr + o, x + tl.load(y_ptr + o, mask=o < n).to(tl.float16) * scale, mask=o < n)


@triton.jit
def add_views(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.store(z_ptr + o, tl.load(x_ptr + o, mask=o < n) + tl.load(y_ptr + o, mask=o < n), mask=o < n)


@triton.jit
def twice(source, target_ptr, N: tl.constexpr, BLOCK: tl.constexpr):
    """Through a host descriptor."""
    at = tl.arange(0, BLOCK)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(target_ptr + at, source.load([0, 0]) * 2)
