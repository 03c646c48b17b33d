# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that combine, move or look up lanes."""
import numpy as np
import triton
import triton.language as tl
from kernels.corpus.launch import BF16, F32, I32, I64, Cases, Launch, blocks, empty, numbers, sigmoid, wide

CASES = case = Cases()


@triton.jit
def transpose_kernel(x_ptr, y_ptr, M, N, sx, sy, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    x = tl.load(x_ptr + rm[:, None] * sx + rn[None, :], mask=(rm[:, None] < M) & (rn[None, :] < N))
    tl.store(y_ptr + rn[:, None] * sy + rm[None, :], tl.trans(x), mask=(rn[:, None] < N) & (rm[None, :] < M))


@case
def transpose(data):
    m, n = data.sizes((128, 256), (100, 70))
    x, y = data.normal(m, n), empty(n, m)
    return Launch(transpose_kernel, (blocks(m, 64), blocks(n, 64)), (x, y, m, n, n, m), {"BM": 64, "BN": 64},
                  [(y, wide(x).T)])


@triton.jit
def sum_rows_kernel(x_ptr, o_ptr, M, N, sx, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    acc = tl.zeros((BM, BN), tl.float32)
    for n in range(0, N, BN):
        rn = n + tl.arange(0, BN)
        acc += tl.load(x_ptr + rm[:, None] * sx + rn[None, :], mask=(rm[:, None] < M) & (rn[None, :] < N), other=0.0)
    tl.store(o_ptr + rm, tl.sum(acc, 1), mask=rm < M)


@case
def sum_rows(data):
    m, n = data.sizes((64, 128), (70, 100))
    x, o = data.normal(m, n), empty(m, dtype=F32)
    return Launch(sum_rows_kernel, (blocks(m, 32), ), (x, o, m, n, n), {"BM": 32, "BN": 64}, [(o, wide(x).sum(axis=1))])


@triton.jit
def sum_cols_kernel(x_ptr, o_ptr, M, N, sx, BM: tl.constexpr, BN: tl.constexpr):
    rn = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros((BN, ), tl.float32)
    for m in range(0, M, BM):
        rm = m + tl.arange(0, BM)
        x = tl.load(x_ptr + rm[:, None] * sx + rn[None, :], mask=(rm[:, None] < M) & (rn[None, :] < N), other=0.0)
        acc += tl.sum(x.to(tl.float32), 0)
    tl.store(o_ptr + rn, acc, mask=rn < N)


@case
def sum_cols(data):
    m, n = data.sizes((64, 128), (70, 100))
    x, o = data.normal(m, n), empty(n, dtype=F32)
    return Launch(sum_cols_kernel, (blocks(n, 64), ), (x, o, m, n, n), {"BM": 32, "BN": 64}, [(o, wide(x).sum(axis=0))])


@triton.jit
def argmax_rows_kernel(x_ptr, v_ptr, i_ptr, N, sx, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * sx + c, mask=c < N, other=-float("inf")).to(tl.float32)
    v, i = tl.max(x, 0, return_indices=True)
    tl.store(v_ptr + row, v)
    tl.store(i_ptr + row, i)


@case
def argmax_rows(data):
    rows, n = data.sizes((32, 1024), (7, 1000))
    x = numbers([data.random.permutation(n) / 8 - 60 for _ in range(rows)], BF16)
    largest, place = empty(rows, dtype=F32), empty(rows, dtype=I32)
    return Launch(argmax_rows_kernel, (rows, ), (x, largest, place, n, n), {"BLOCK": 1024},
                  [(largest, wide(x).max(axis=1)), (place, wide(x).argmax(axis=1))])


@triton.jit
def cumsum_rows_kernel(x_ptr, o_ptr, N, sx, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    for s in range(0, N, BLOCK):
        c = s + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * sx + c, mask=c < N, other=0.0).to(tl.float32)
        y = tl.cumsum(x, 0) + carry
        tl.store(o_ptr + row * sx + c, y, mask=c < N)
        carry += tl.sum(x, 0)


@case
def cumsum_rows(data):
    rows, n = data.sizes((32, 512), (7, 300))
    x, o = data.normal(rows, n, dtype=F32), empty(rows, n, dtype=F32)
    return Launch(cumsum_rows_kernel, (rows, ), (x, o, n, n), {"BLOCK": 256}, [(o, wide(x).cumsum(axis=1))])


@triton.jit
def linear(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def linear_scan_kernel(a_ptr, b_ptr, o_ptr, T, D, BT: tl.constexpr, BD: tl.constexpr):
    """h_t = a_t h_{t-1} + b_t by associative_scan of pairs"""
    d = tl.program_id(0) * BD + tl.arange(0, BD)
    t = tl.arange(0, BT)
    p = t[:, None] * D + d[None, :]
    m = (t[:, None] < T) & (d[None, :] < D)
    a = tl.load(a_ptr + p, mask=m, other=1.0)
    b = tl.load(b_ptr + p, mask=m, other=0.0)
    _, h = tl.associative_scan((a, b), 0, linear)
    tl.store(o_ptr + p, h, mask=m)


@case
def linear_scan(data):
    steps, width = data.sizes((64, 64), (50, 70))
    a, b = numbers(data.random.uniform(0.5, 1, (steps, width)), F32), data.normal(steps, width, dtype=F32)
    o, states, state = empty(steps, width, dtype=F32), [], 0
    for decay, new in zip(wide(a), wide(b)):
        state = decay * state + new
        states.append(state)
    return Launch(linear_scan_kernel, (blocks(width, 32), ), (a, b, o, steps, width), {"BT": 64, "BD": 32},
                  [(o, np.array(states))])


@triton.jit
def embedding_kernel(ids_ptr, w_ptr, o_ptr, D, BLOCK: tl.constexpr):
    tok = tl.program_id(0)
    r = tl.load(ids_ptr + tok)
    d = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + tok * D + d, tl.load(w_ptr + r * D + d, mask=d < D), mask=d < D)


@case
def embedding_gather(data):
    tokens, words, width = data.sizes((64, 128, 256), (50, 90, 300))
    ids, w, o = data.integers(0, words, tokens, dtype=I64), data.normal(words, width), empty(tokens, width)
    return Launch(embedding_kernel, (tokens, blocks(width, 256)), (ids, w, o, width), {"BLOCK": 256},
                  [(o, wide(w)[np.asarray(ids)])])


@triton.jit
def dropout_kernel(x_ptr, o_ptr, n, p, seed, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    x = tl.load(x_ptr + offs, mask=m)
    r = tl.rand(seed, offs)
    tl.store(o_ptr + offs, tl.where(r > p, x / (1 - p), 0.0), mask=m)


def philox(seed, counters):
    """The first of four words of Philox 4x32 with ten rounds (Salmon et al., 2011, table 2)."""
    word = np.uint64(0xFFFFFFFF)
    c = [counters.astype(np.uint64), *(np.zeros(len(counters), np.uint64) for _ in range(3))]
    keys = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    for _ in range(10):
        first, second = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        high, low = (lambda p: p >> np.uint64(32)), (lambda p: p & word)
        c = [high(second) ^ c[1] ^ keys[0], low(second), high(first) ^ c[3] ^ keys[1], low(first)]
        keys = [(keys[0] + np.uint64(0x9E3779B9)) & word, (keys[1] + np.uint64(0xBB67AE85)) & word]
    return c[0]


@case
def dropout_philox(data):
    n = data.sizes(2048, 1000)
    x, o = data.normal(n, dtype=F32), empty(n, dtype=F32)
    # A float from a word: its distance from zero as a signed number, 31 bits.
    word = philox(1234, np.arange(n)).astype(np.uint32).view(np.int32).astype(np.int64)
    uniform = np.where(word < 0, -word - 1, word) * 4.6566127342e-10
    return Launch(dropout_kernel, (blocks(n, 512), ), (x, o, n, 0.3, 1234), {"BLOCK": 512},
                  [(o, np.where(uniform > 0.3, wide(x) / 0.7, 0))])


@triton.jit
def conv1d_causal_kernel(x_ptr, w_ptr, b_ptr, o_ptr, L, D, sx_b, sx_l, so_b, so_l, W: tl.constexpr, BL: tl.constexpr,
                         BD: tl.constexpr):
    """depthwise causal conv (Mamba's), static taps unrolled"""
    l = tl.program_id(0) * BL + tl.arange(0, BL)
    d = tl.program_id(1) * BD + tl.arange(0, BD)
    b = tl.program_id(2)
    acc = tl.zeros((BL, BD), tl.float32) + tl.load(b_ptr + d, mask=d < D, other=0.0)[None, :].to(tl.float32)
    for w in tl.static_range(W):
        p = l + w - (W - 1)
        x = tl.load(x_ptr + b * sx_b + p[:, None] * sx_l + d[None, :],
                    mask=(p[:, None] >= 0) & (p[:, None] < L) & (d[None, :] < D), other=0.0).to(tl.float32)
        acc += x * tl.load(w_ptr + d * W + w, mask=d < D, other=0.0)[None, :].to(tl.float32)
    acc = acc * tl.sigmoid(acc)
    tl.store(o_ptr + b * so_b + l[:, None] * so_l + d[None, :], acc.to(tl.bfloat16),
             mask=(l[:, None] < L) & (d[None, :] < D))


@case
def conv1d_causal(data):
    batch, length, width = data.sizes((1, 128, 64), (2, 100, 70))
    x, o = data.normal(batch, length, width), empty(batch, length, width)
    w, b = data.normal(width, 4), data.normal(width)
    before = np.pad(wide(x), ((0, 0), (3, 0), (0, 0)))
    y = wide(b) + sum(before[:, tap:tap + length] * wide(w)[:, tap] for tap in range(4))
    return Launch(conv1d_causal_kernel, (blocks(length, 64), blocks(width, 64), batch),
                  (x, w, b, o, length, width, length * width, width, length * width, width),
                  {"W": 4, "BL": 64, "BD": 64}, [(o, y * sigmoid(y))])


@triton.jit
def split_join_rope_kernel(x_ptr, c_ptr, s_ptr, o_ptr, L, sx, BL: tl.constexpr, D: tl.constexpr):
    """interleaved RoPE through reshape/split/join"""
    l = tl.program_id(0) * BL + tl.arange(0, BL)
    d = tl.arange(0, D)
    h = tl.arange(0, D // 2)
    x = tl.load(x_ptr + l[:, None] * sx + d[None, :], mask=l[:, None] < L, other=0.0).to(tl.float32)
    a, b = tl.split(tl.reshape(x, (BL, D // 2, 2)))
    c = tl.load(c_ptr + l[:, None] * (D // 2) + h[None, :], mask=l[:, None] < L, other=0.0)
    s = tl.load(s_ptr + l[:, None] * (D // 2) + h[None, :], mask=l[:, None] < L, other=0.0)
    y = tl.reshape(tl.join(a * c - b * s, b * c + a * s), (BL, D))
    tl.store(o_ptr + l[:, None] * sx + d[None, :], y.to(tl.bfloat16), mask=l[:, None] < L)


@case
def split_join_rope(data):
    length, width = data.sizes((64, 64), (50, 64))
    x, o = data.normal(length, width), empty(length, width)
    c, s = data.normal(length, width // 2, dtype=F32), data.normal(length, width // 2, dtype=F32)
    even, odd = wide(x)[:, ::2], wide(x)[:, 1::2]
    turned = np.stack([even * wide(c) - odd * wide(s), odd * wide(c) + even * wide(s)], axis=-1)
    return Launch(split_join_rope_kernel, (blocks(length, 32), ), (x, c, s, o, length, width), {"BL": 32, "D": width},
                  [(o, turned.reshape(length, width))])


@triton.jit
def topk_bitonic_kernel(x_ptr, o_ptr, N, sx, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * sx + c, mask=c < N, other=-float("inf"))
    y = tl.sort(x, descending=True)
    tl.store(o_ptr + row * sx + c, y, mask=c < N)


@case
def sort_rows(data):
    x, o = data.normal(7, 50, dtype=F32), empty(7, 50, dtype=F32)
    return Launch(topk_bitonic_kernel, (7, ), (x, o, 50, 50), {"BLOCK": 64}, [(o, -np.sort(-wide(x), axis=1))])
