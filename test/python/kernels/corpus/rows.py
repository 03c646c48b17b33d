# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element-wise kernels, and kernels that work on rows."""
import numpy as np
import triton
import triton.language as tl
from kernels.corpus.launch import F32, I64, Cases, Launch, blocks, empty, sigmoid, softmax, wide

CASES = case = Cases()


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(axis=0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    y = tl.load(y_ptr + offs, mask=mask)
    tl.store(o_ptr + offs, x + y, mask=mask)


@case
def vector_add(data):
    n = data.sizes(4096, 1023)
    x, y, o = data.normal(n), data.normal(n), empty(n)
    return Launch(vector_add_kernel, (blocks(n, 1024), ), (x, y, o, n), {"BLOCK": 1024}, [(o, wide(x) + wide(y))])


@triton.jit
def silu_mul_kernel(g_ptr, u_ptr, o_ptr, n_cols, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    offs = tl.arange(0, BLOCK)
    mask = offs < n_cols
    g = tl.load(g_ptr + row * stride + offs, mask=mask, other=0.0).to(tl.float32)
    u = tl.load(u_ptr + row * stride + offs, mask=mask, other=0.0)
    y = (g * tl.sigmoid(g)).to(u.dtype) * u
    tl.store(o_ptr + row * stride + offs, y, mask=mask)


@case
def silu_mul(data):
    rows, n = data.sizes((32, 2048), (5, 100))
    g, u, o = data.normal(rows, n), data.normal(rows, n), empty(rows, n)
    return Launch(silu_mul_kernel, (rows, ), (g, u, o, n, n), {"BLOCK": 2048},
                  [(o, wide(g) * sigmoid(wide(g)) * wide(u))])


@triton.jit
def rope_kernel(q_ptr, cos_ptr, sin_ptr, o_ptr, seqlen, stride_b, stride_s, stride_h, HALF: tl.constexpr,
                BLOCK_S: tl.constexpr):
    pid_s = tl.program_id(0)
    pid_h = tl.program_id(1)
    pid_b = tl.program_id(2)
    s = pid_s * BLOCK_S + tl.arange(0, BLOCK_S)
    d = tl.arange(0, HALF)
    base = pid_b * stride_b + pid_h * stride_h
    m = s[:, None] < seqlen
    p1 = base + s[:, None] * stride_s + d[None, :]
    p2 = p1 + HALF
    c = tl.load(cos_ptr + s[:, None] * HALF + d[None, :], mask=m, other=0.0).to(tl.float32)
    sn = tl.load(sin_ptr + s[:, None] * HALF + d[None, :], mask=m, other=0.0).to(tl.float32)
    x1 = tl.load(q_ptr + p1, mask=m, other=0.0).to(tl.float32)
    x2 = tl.load(q_ptr + p2, mask=m, other=0.0).to(tl.float32)
    tl.store(o_ptr + p1, (x1 * c - x2 * sn).to(tl.bfloat16), mask=m)
    tl.store(o_ptr + p2, (x2 * c + x1 * sn).to(tl.bfloat16), mask=m)


@case
def rope(data):
    batch, heads, s = data.sizes((1, 2, 64), (2, 2, 50))
    q, o = data.normal(batch, heads, s, 64), empty(batch, heads, s, 64)
    c, sn = data.normal(s, 32, dtype=F32), data.normal(s, 32, dtype=F32)
    low, high = wide(q)[..., :32], wide(q)[..., 32:]
    turned = np.concatenate([low * wide(c) - high * wide(sn), high * wide(c) + low * wide(sn)], axis=-1)
    return Launch(rope_kernel, (blocks(s, 64), heads, batch), (q, c, sn, o, s, heads * s * 64, 64, s * 64),
                  {"HALF": 32, "BLOCK_S": 64}, [(o, turned)])


@triton.jit
def softmax_kernel(o_ptr, x_ptr, stride_x, stride_o, n_rows, n_cols, BLOCK: tl.constexpr):
    start = tl.program_id(0)
    step = tl.num_programs(0)
    for row in tl.range(start, n_rows, step):
        offs = tl.arange(0, BLOCK)
        mask = offs < n_cols
        x = tl.load(x_ptr + row * stride_x + offs, mask=mask, other=-float("inf"))
        x = x.to(tl.float32)
        x = x - tl.max(x, axis=0)
        e = tl.exp(x)
        y = e / tl.sum(e, axis=0)
        tl.store(o_ptr + row * stride_o + offs, y.to(tl.bfloat16), mask=mask)


@case
def softmax_persistent(data):
    rows, n, programs = data.sizes((64, 1024, 32), (7, 100, 5))
    x, o = data.normal(rows, n), empty(rows, n)
    return Launch(softmax_kernel, (programs, ), (o, x, n, n, rows, n), {"BLOCK": 1024}, [(o, softmax(wide(x)))])


@triton.jit
def softmax_online_kernel(o_ptr, x_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    m = -float("inf")
    l = 0.0
    for c in range(0, n_cols, BLOCK):
        offs = c + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + offs, mask=offs < n_cols, other=-float("inf")).to(tl.float32)
        mn = tl.maximum(m, tl.max(x, axis=0))
        l = l * tl.exp(m - mn) + tl.sum(tl.exp(x - mn), axis=0)
        m = mn
    for c in range(0, n_cols, BLOCK):
        offs = c + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + offs, mask=offs < n_cols, other=-float("inf")).to(tl.float32)
        tl.store(o_ptr + row * stride + offs, (tl.exp(x - m) / l).to(tl.bfloat16), mask=offs < n_cols)


@case
def softmax_online(data):
    rows, n = data.sizes((32, 1024), (7, 700))
    x, o = data.normal(rows, n), empty(rows, n)
    return Launch(softmax_online_kernel, (rows, ), (o, x, n, n), {"BLOCK": 512}, [(o, softmax(wide(x)))])


@triton.jit
def layernorm_kernel(x_ptr, y_ptr, w_ptr, b_ptr, mean_ptr, rstd_ptr, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * stride
    y_ptr += row * stride
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + cols, mask=cols < N, other=0.0).to(tl.float32)
    mean = tl.sum(acc, axis=0) / N
    var = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + cols, mask=cols < N, other=0.0).to(tl.float32)
        x = tl.where(cols < N, x - mean, 0.0)
        var += x * x
    rstd = 1 / tl.sqrt(tl.sum(var, axis=0) / N + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        m = cols < N
        w = tl.load(w_ptr + cols, mask=m)
        b = tl.load(b_ptr + cols, mask=m)
        x = tl.load(x_ptr + cols, mask=m, other=0.0).to(tl.float32)
        tl.store(y_ptr + cols, (x - mean) * rstd * w + b, mask=m)


@case
def layernorm(data):
    rows, n = data.sizes((32, 1024), (7, 1300))
    x, y, w, b = data.normal(rows, n), empty(rows, n), data.normal(n), data.normal(n)
    mean, rstd = empty(rows, dtype=F32), empty(rows, dtype=F32)
    means, scales = wide(x).mean(axis=1), 1 / np.sqrt(wide(x).var(axis=1) + 1e-5)
    normal = (wide(x) - means[:, None]) * scales[:, None]
    return Launch(layernorm_kernel, (rows, ), (x, y, w, b, mean, rstd, n, n, 1e-5), {"BLOCK": 1024},
                  [(y, normal * wide(w) + wide(b)), (mean, means), (rstd, scales)])


@triton.jit
def rmsnorm_kernel(x_ptr, w_ptr, y_ptr, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    m = cols < N
    x = tl.load(x_ptr + row * stride + cols, mask=m, other=0.0).to(tl.float32)
    ms = tl.sum(x * x, axis=0) / N
    r = tl.rsqrt(ms + eps)
    w = tl.load(w_ptr + cols, mask=m, other=0.0).to(tl.float32)
    tl.store(y_ptr + row * stride + cols, (x * r * w).to(tl.bfloat16), mask=m)


@case
def rmsnorm(data):
    rows, n = data.sizes((32, 4096), (7, 1300))
    x, y, w = data.normal(rows, n), empty(rows, n), data.normal(n)
    rms = np.sqrt((wide(x)**2).mean(axis=1, keepdims=True) + 1e-5)
    return Launch(rmsnorm_kernel, (rows, ), (x, w, y, n, n, 1e-5), {"BLOCK": 4096}, [(y, wide(x) / rms * wide(w))])


@triton.jit
def cross_entropy_kernel(x_ptr, t_ptr, loss_ptr, sx, V, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    t = tl.load(t_ptr + row)
    xt = tl.load(x_ptr + row * sx + t).to(tl.float32)
    m = -float("inf")
    d = 0.0
    for i in range(0, V, BLOCK):
        c = i + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * sx + c, mask=c < V, other=-float("inf")).to(tl.float32)
        mn = tl.maximum(m, tl.max(x, 0))
        d = d * tl.exp(m - mn) + tl.sum(tl.exp(x - mn), 0)
        m = mn
    tl.store(loss_ptr + row, m + tl.log(d) - xt)


@case
def cross_entropy(data):
    rows, classes = data.sizes((32, 1024), (7, 1500))
    x, target, loss = data.normal(rows, classes), data.integers(0, classes, rows, dtype=I64), empty(rows, dtype=F32)
    largest = wide(x).max(axis=1)
    logs = largest + np.log(np.exp(wide(x) - largest[:, None]).sum(axis=1))
    return Launch(cross_entropy_kernel, (rows, ), (x, target, loss, classes, classes), {"BLOCK": 1024},
                  [(loss, logs - wide(x)[np.arange(rows), np.asarray(target)])])
