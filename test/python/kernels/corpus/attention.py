# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention and its parts."""
import numpy as np
import triton
import triton.language as tl
from kernels.corpus.launch import F32, Cases, Launch, blocks, empty, numbers, softmax, wide

CASES = case = Cases()


@triton.jit
def attention_blocks(acc, l_i, m_i, q, k_base, v_base, skn, svn, start_m, scale, lo, hi, N_CTX, BM: tl.constexpr,
                     BN: tl.constexpr, D: tl.constexpr, offs_m, offs_n, offs_d, DIAG: tl.constexpr):
    for start_n in tl.range(lo, hi, BN):
        start_n = tl.multiple_of(start_n, BN)
        n = start_n + offs_n
        k = tl.load(k_base + n[None, :] * skn + offs_d[:, None], mask=n[None, :] < N_CTX, other=0.0)
        qk = tl.dot(q, k)
        qk = qk * scale + tl.where(n[None, :] < N_CTX, 0.0, -1.0e6)
        if DIAG:
            qk = tl.where(offs_m[:, None] >= n[None, :], qk, -1.0e6)
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.math.exp2(qk - m_ij[:, None])
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(v_base + n[:, None] * svn + offs_d[None, :], mask=n[:, None] < N_CTX, other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc)
        m_i = m_ij
    return acc, l_i, m_i


@triton.jit
def flash_attn_kernel(q_ptr, k_ptr, v_ptr, o_ptr, lse_ptr, sm_scale, sqz, sqh, sqm, skz, skh, skn, svz, svh, svn, soz,
                      soh, som, H, N_CTX, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    start_m = tl.program_id(0)
    off_hz = tl.program_id(1)
    off_z = off_hz // H
    off_h = off_hz % H
    q_base = q_ptr + off_z.to(tl.int64) * sqz + off_h.to(tl.int64) * sqh
    k_base = k_ptr + off_z.to(tl.int64) * skz + off_h.to(tl.int64) * skh
    v_base = v_ptr + off_z.to(tl.int64) * svz + off_h.to(tl.int64) * svh
    o_base = o_ptr + off_z.to(tl.int64) * soz + off_h.to(tl.int64) * soh
    offs_m = start_m * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    offs_d = tl.arange(0, D)
    m_i = tl.zeros([BM], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BM], dtype=tl.float32) + 1.0
    acc = tl.zeros([BM, D], dtype=tl.float32)
    scale = sm_scale * 1.44269504
    q = tl.load(q_base + offs_m[:, None] * sqm + offs_d[None, :], mask=offs_m[:, None] < N_CTX, other=0.0)
    if CAUSAL:
        acc, l_i, m_i = attention_blocks(acc, l_i, m_i, q, k_base, v_base, skn, svn, start_m, scale, 0, start_m * BM,
                                         N_CTX, BM, BN, D, offs_m, offs_n, offs_d, False)
        acc, l_i, m_i = attention_blocks(acc, l_i, m_i, q, k_base, v_base, skn, svn, start_m, scale, start_m * BM,
                                    tl.minimum((start_m + 1) * BM, N_CTX), N_CTX, BM, BN, D, offs_m, offs_n, offs_d,
                                    True)
    else:
        acc, l_i, m_i = attention_blocks(acc, l_i, m_i, q, k_base, v_base, skn, svn, start_m, scale, 0, N_CTX, N_CTX,
                                         BM, BN, D, offs_m, offs_n, offs_d, False)
    m_i += tl.math.log2(l_i)
    acc = acc / l_i[:, None]
    tl.store(lse_ptr + off_hz * N_CTX + offs_m, m_i, mask=offs_m < N_CTX)
    tl.store(o_base + offs_m[:, None] * som + offs_d[None, :], acc.to(tl.bfloat16), mask=offs_m[:, None] < N_CTX)


def attention(data, causal):
    batch, heads, n = data.sizes((1, 2, 128), (2, 2, 100))
    q, k, v = (data.normal(batch, heads, n, 64) for _ in range(3))
    o, logs = empty(batch, heads, n, 64), empty(batch, heads, n, dtype=F32)
    scores = wide(q) @ wide(k).swapaxes(-1, -2) * 0.125
    if causal:
        scores = np.where(np.tril(np.ones((n, n), bool)), scores, -np.inf)
    strides = (heads * n * 64, n * 64, 64) * 4
    return Launch(flash_attn_kernel, (blocks(n, 128), batch * heads),
                  (q, k, v, o, logs, 0.125, *strides, heads, n), {"BM": 128, "BN": 64, "D": 64, "CAUSAL": causal},
                  [(o, softmax(scores) @ wide(v)), (logs, np.log2(np.exp(scores).sum(axis=-1)))])


@case
def flash_attn(data):
    return attention(data, False)


@case
def flash_attn_causal(data):
    return attention(data, True)


@triton.jit
def flash_decode_split_kernel(q_ptr, k_ptr, v_ptr, part_o, part_lse, lens_ptr, sm_scale, sqb, sqh, skb, skh, skn, n_kv,
                              CHUNK: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, G: tl.constexpr,
                              SPLITS: tl.constexpr):
    """GQA decode: G query rows share one KV head; one split of the KV length per program"""
    b = tl.program_id(0)
    kvh = tl.program_id(1)
    sp = tl.program_id(2)
    n = tl.load(lens_ptr + b)
    lo = sp * CHUNK
    hi = tl.minimum(lo + CHUNK, n)
    g = tl.arange(0, G)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + b * sqb + (kvh * G + g)[:, None] * sqh + d[None, :])
    m = tl.full([G], -float("inf"), tl.float32)
    l = tl.zeros([G], tl.float32)
    acc = tl.zeros([G, D], tl.float32)
    for s in range(lo, hi, BN):
        idx = s + tl.arange(0, BN)
        k = tl.load(k_ptr + b * skb + kvh * skh + idx[None, :] * skn + d[:, None], mask=idx[None, :] < hi, other=0.0)
        qk = tl.dot(q, k) * sm_scale
        qk = tl.where(idx[None, :] < hi, qk, -float("inf"))
        mn = tl.maximum(m, tl.max(qk, 1))
        p = tl.exp(qk - mn[:, None])
        a = tl.exp(m - mn)
        l = l * a + tl.sum(p, 1)
        v = tl.load(v_ptr + b * skb + kvh * skh + idx[:, None] * skn + d[None, :], mask=idx[:, None] < hi, other=0.0)
        acc = acc * a[:, None] + tl.dot(p.to(tl.bfloat16), v)
        m = mn
    row = (b * n_kv + kvh) * G + g
    if hi > lo:
        tl.store(part_o + (row[:, None] * SPLITS + sp) * D + d[None, :], acc / l[:, None])
        tl.store(part_lse + row * SPLITS + sp, m + tl.log(l))


@case
def flash_decode_split(data):
    lengths = data.sizes([512, 1024], [1100, 100])
    batch, heads, group, width, splits, n = 2, 2, 16, 128, 8, max(lengths)
    q = data.normal(batch, heads, group, width)
    k, v = (data.normal(batch, heads, n, width) for _ in range(2))
    parts, logs = empty(batch, heads, group, splits, width, dtype=F32), empty(batch, heads, group, splits, dtype=F32)
    outputs, sums = np.full(parts.shape, np.nan), np.full(logs.shape, np.nan)
    scores = wide(q) @ wide(k).swapaxes(-1, -2) * 0.088
    for row, length in enumerate(lengths):
        for split, first in enumerate(range(0, length, 512)):
            share = slice(first, min(first + 512, length))
            outputs[row, :, :, split] = softmax(scores[row, ..., share]) @ wide(v)[row, :, share]
            sums[row, :, :, split] = np.log(np.exp(scores[row, ..., share]).sum(axis=-1))
    return Launch(flash_decode_split_kernel, (batch, heads, splits),
                  (q, k, v, parts, logs, numbers(lengths), 0.088, heads * group * width, width, heads * n * width,
                   n * width, width, heads), {"CHUNK": 512, "BN": 64, "D": width, "G": group, "SPLITS": splits},
                  [(parts, outputs), (logs, sums)])


@triton.jit
def flash_decode_reduce_kernel(part_o, part_lse, o_ptr, lens_ptr, heads, CHUNK: tl.constexpr, D: tl.constexpr,
                               SPLITS: tl.constexpr):
    row = tl.program_id(0)
    b = row // heads
    n = tl.load(lens_ptr + b)
    s = tl.arange(0, SPLITS)
    d = tl.arange(0, D)
    valid = s * CHUNK < n
    lse = tl.load(part_lse + row * SPLITS + s, mask=valid, other=-float("inf"))
    mx = tl.max(lse, 0)
    w = tl.exp(lse - mx)
    o = tl.load(part_o + (row * SPLITS + s)[:, None] * D + d[None, :], mask=valid[:, None], other=0.0)
    acc = tl.sum(o * w[:, None], 0) / tl.sum(w, 0)
    tl.store(o_ptr + row * D + d, acc.to(tl.bfloat16))


@case
def flash_decode_reduce(data):
    lengths, heads, splits, width = data.sizes([4096, 2048], [1100, 100]), 16, 8, 128
    parts, logs = data.normal(2 * heads, splits, width, dtype=F32), data.normal(2 * heads, splits, dtype=F32)
    o = empty(2 * heads, width)
    valid = np.arange(splits) * 512 < np.repeat(lengths, heads)[:, None]
    weights = softmax(np.where(valid, wide(logs), -np.inf))
    return Launch(flash_decode_reduce_kernel, (2 * heads, ), (parts, logs, o, numbers(lengths), heads),
                  {"CHUNK": 512, "D": width, "SPLITS": splits}, [(o, np.einsum("rs,rsd->rd", weights, wide(parts)))])


@triton.jit
def paged_decode_kernel(q_ptr, kc_ptr, vc_ptr, bt_ptr, lens_ptr, o_ptr, scale, sq, skb, sks, skh, sbt,
                        PAGE: tl.constexpr, D: tl.constexpr, G: tl.constexpr):
    """paged KV cache: block table gives page number -> data dependent base"""
    b = tl.program_id(0)
    h = tl.program_id(1)
    n = tl.load(lens_ptr + b)
    g = tl.arange(0, G)
    d = tl.arange(0, D)
    t = tl.arange(0, PAGE)
    q = tl.load(q_ptr + b * sq + (h * G + g)[:, None] * D + d[None, :])
    m = tl.full([G], -float("inf"), tl.float32)
    l = tl.zeros([G], tl.float32)
    acc = tl.zeros([G, D], tl.float32)
    for i in range(0, tl.cdiv(n, PAGE)):
        page = tl.load(bt_ptr + b * sbt + i).to(tl.int64)
        pos = i * PAGE + t
        k = tl.load(kc_ptr + page * skb + h * skh + t[None, :] * sks + d[:, None], mask=pos[None, :] < n, other=0.0)
        s = tl.dot(q, k) * scale
        s = tl.where(pos[None, :] < n, s, -float("inf"))
        mn = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - mn[:, None])
        al = tl.exp(m - mn)
        l = l * al + tl.sum(p, 1)
        v = tl.load(vc_ptr + page * skb + h * skh + t[:, None] * sks + d[None, :], mask=pos[:, None] < n, other=0.0)
        acc = acc * al[:, None] + tl.dot(p.to(tl.bfloat16), v)
        m = mn
    tl.store(o_ptr + b * sq + (h * G + g)[:, None] * D + d[None, :], (acc / l[:, None]).to(tl.bfloat16))


@case
def paged_decode(data):
    lengths, heads, group, width, page = data.sizes([64, 32], [50, 16]), 2, 16, 128, 16
    table = data.random.permutation(12)[:8].reshape(2, 4)
    q, o = data.normal(2, heads, group, width), empty(2, heads, group, width)
    k, v = data.normal(12, page, heads, width), data.normal(12, page, heads, width)
    outputs = np.zeros(q.shape)
    for row, length in enumerate(lengths):
        keys, values = (wide(cache)[table[row]].reshape(-1, heads, width)[:length].swapaxes(0, 1) for cache in (k, v))
        outputs[row] = softmax(wide(q)[row] @ keys.swapaxes(-1, -2) * 0.088) @ values
    return Launch(paged_decode_kernel, (2, heads),
                  (q, k, v, numbers(table), numbers(lengths), o, 0.088, heads * group * width, page * heads * width,
                   heads * width, width, 4), {"PAGE": page, "D": width, "G": group}, [(o, outputs)])
