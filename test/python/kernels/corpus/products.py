# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices."""
import ml_dtypes
import ml_dtypes
import numpy as np
import triton
import triton.language as tl
from kernels.corpus.launch import F32, I64, Cases, Launch, blocks, empty, gelu, gelu_tanh, numbers, wide
from triton.tools.tensor_descriptor import TensorDescriptor

CASES = case = Cases()


@triton.jit
def gelu_of(x):
    return 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))


@triton.jit
def gelu_tanh_of(x):
    t = 0.7978845608028654 * (x + 0.044715 * x * x * x)
    # tanh(t) = 2 * sigmoid(2 * t) - 1
    return 0.5 * x * (1.0 + (2.0 * tl.sigmoid(2.0 * t) - 1.0))


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, sam, sak, sbk, sbn, scm, scn, BM: tl.constexpr, BN: tl.constexpr,
                  BK: tl.constexpr, GROUP: tl.constexpr, ACT: tl.constexpr):
    pid = tl.program_id(axis=0)
    num_pid_m = tl.cdiv(M, BM)
    num_pid_n = tl.cdiv(N, BN)
    num_pid_in_group = GROUP * num_pid_n
    group_id = pid // num_pid_in_group
    first_pid_m = group_id * GROUP
    group_size_m = min(num_pid_m - first_pid_m, GROUP)
    pid_m = first_pid_m + ((pid % num_pid_in_group) % group_size_m)
    pid_n = (pid % num_pid_in_group) // group_size_m
    offs_am = (pid_m * BM + tl.arange(0, BM)) % M
    offs_bn = (pid_n * BN + tl.arange(0, BN)) % N
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + (offs_am[:, None] * sam + offs_k[None, :] * sak)
    b_ptrs = b_ptr + (offs_k[:, None] * sbk + offs_bn[None, :] * sbn)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK * sak
        b_ptrs += BK * sbk
    if ACT == "gelu":
        acc = gelu_of(acc)
    c = acc.to(tl.bfloat16)
    offs_cm = pid_m * BM + tl.arange(0, BM)
    offs_cn = pid_n * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + scm * offs_cm[:, None] + scn * offs_cn[None, :]
    mask = (offs_cm[:, None] < M) & (offs_cn[None, :] < N)
    tl.store(c_ptrs, c, mask=mask)


def matmul(data, sizes=((256, 256, 128), (200, 150, 90)), activation="", transposes_b=False):
    m, n, k = data.sizes(*sizes)
    a, b, c = data.normal(m, k), data.normal(*((n, k) if transposes_b else (k, n))), empty(m, n)
    product = wide(a) @ (wide(b).T if transposes_b else wide(b))
    strides = k, 1, *((1, k) if transposes_b else (n, 1)), n, 1
    return Launch(matmul_kernel, (blocks(m, 128) * blocks(n, 128), ), (a, b, c, m, n, k, *strides),
                  {"BM": 128, "BN": 128, "BK": 64, "GROUP": 8, "ACT": activation},
                  [(c, gelu(product) if activation else product)])


@case
def matmul_grouped(data):
    return matmul(data)


@case
def matmul_grouped_anystride(data):
    m, n, k = data.sizes((128, 128, 128), (100, 70, 40))
    a, b, c = data.normal(m, 2 * k), data.normal(k, 3 * n), empty(m, 2 * n)
    expected = np.full((m, 2 * n), np.nan)
    expected[:, ::2] = wide(a)[:, ::2] @ wide(b)[:, ::3]
    return Launch(matmul_kernel, (blocks(m, 128) * blocks(n, 128), ), (a, b, c, m, n, k, 2 * k, 2, 3 * n, 3, 2 * n, 2),
                  {"BM": 128, "BN": 128, "BK": 64, "GROUP": 8, "ACT": ""}, [(c, expected)])


@case
def matmul_gelu(data):
    return matmul(data, activation="gelu")


@case
def matmul_transposed_b(data):
    return matmul(data, transposes_b=True)


@case
def matmul_large(data):
    return matmul(data, sizes=((1024, 1024, 512), (1000, 777, 300)))


@triton.jit
def matmul_2d_kernel(a_ptr, b_ptr, c_ptr, M, N, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    rm = pid_m * BM + tl.arange(0, BM)
    rn = pid_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * sam + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + rk[:, None] * sbk + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b)
    tl.store(c_ptr + rm[:, None] * scm + rn[None, :], acc.to(tl.bfloat16), mask=(rm[:, None] < M) & (rn[None, :] < N))


@case
def matmul_2d(data):
    m, n, k = data.sizes((128, 128, 64), (100, 70, 40))
    a, b, c = data.normal(m, k), data.normal(k, n), empty(m, n)
    return Launch(matmul_2d_kernel, (blocks(m, 64), blocks(n, 64)), (a, b, c, m, n, k, k, n, n),
                  {"BM": 64, "BN": 64, "BK": 32}, [(c, wide(a) @ wide(b))])


@triton.jit
def matmul_desc_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    num_n = tl.cdiv(N, BN)
    pid_m = pid // num_n
    pid_n = pid % num_n
    a_d = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b_d = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    c_d = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(tl.cdiv(K, BK)):
        a = a_d.load([pid_m * BM, k * BK])
        b = b_d.load([pid_n * BN, k * BK])
        acc = tl.dot(a, b.T, acc)
    c_d.store([pid_m * BM, pid_n * BN], acc.to(tl.bfloat16))


@case
def matmul_desc(data):
    m, n, k = data.sizes((256, 256, 128), (200, 152, 88))
    a, b, c = data.normal(m, k), data.normal(n, k), empty(m, n)
    return Launch(matmul_desc_kernel, (blocks(m, 128) * blocks(n, 128), ), (a, b, c, m, n, k),
                  {"BM": 128, "BN": 128, "BK": 64}, [(c, wide(a) @ wide(b).T)])


@triton.jit
def matmul_hostdesc_kernel(a_d, b_d, c_d, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    num_n = tl.cdiv(N, BN)
    pid_m = pid // num_n
    pid_n = pid % num_n
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(tl.cdiv(K, BK)):
        a = a_d.load([pid_m * BM, k * BK])
        b = b_d.load([pid_n * BN, k * BK])
        acc = tl.dot(a, b.T, acc)
    c_d.store([pid_m * BM, pid_n * BN], acc.to(tl.bfloat16))


@case
def matmul_hostdesc(data):
    m, n, k = data.sizes((256, 256, 128), (200, 152, 88))
    a, b, c = data.normal(m, k), data.normal(n, k), empty(m, n)
    tiles = (a, [128, 64]), (b, [128, 64]), (c, [128, 128])
    described = [TensorDescriptor.from_tensor(x, block) for x, block in tiles]
    return Launch(matmul_hostdesc_kernel, (blocks(m, 128) * blocks(n, 128), ), (*described, m, n, k),
                  {"BM": 128, "BN": 128, "BK": 64}, [(c, wide(a) @ wide(b).T)])


@triton.jit
def matmul_persistent_kernel(a_ptr, b_ptr, c_ptr, M, N, K, sam, sbk, scm, NUM: tl.constexpr, BM: tl.constexpr,
                             BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    start = tl.program_id(0)
    num_pid_m = tl.cdiv(M, BM)
    num_pid_n = tl.cdiv(N, BN)
    k_tiles = tl.cdiv(K, BK)
    num_tiles = num_pid_m * num_pid_n
    npg = GROUP * num_pid_n
    offs_k = tl.arange(0, BK)
    for tile in tl.range(start, num_tiles, NUM, flatten=True):
        gid = tile // npg
        fm = gid * GROUP
        gsm = min(num_pid_m - fm, GROUP)
        pid_m = fm + (tile % gsm)
        pid_n = (tile % npg) // gsm
        rm = pid_m * BM + tl.arange(0, BM)
        rn = pid_n * BN + tl.arange(0, BN)
        rm = tl.where(rm < M, rm, 0)
        rn = tl.where(rn < N, rn, 0)
        rm = tl.max_contiguous(tl.multiple_of(rm, BM), BM)
        rn = tl.max_contiguous(tl.multiple_of(rn, BN), BN)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for ki in range(k_tiles):
            rk = ki * BK + offs_k
            a = tl.load(a_ptr + rm[:, None] * sam + rk[None, :], mask=offs_k[None, :] < K - ki * BK, other=0.0)
            b = tl.load(b_ptr + rk[:, None] * sbk + rn[None, :], mask=offs_k[:, None] < K - ki * BK, other=0.0)
            acc = tl.dot(a, b, acc)
        cm = pid_m * BM + tl.arange(0, BM)
        cn = pid_n * BN + tl.arange(0, BN)
        tl.store(c_ptr + cm[:, None] * scm + cn[None, :], acc.to(tl.bfloat16),
                 mask=(cm[:, None] < M) & (cn[None, :] < N))


@case
def matmul_persistent(data):
    m, n, k = data.sizes((512, 128, 128), (200, 100, 90))
    a, b, c = data.normal(m, k), data.normal(k, n), empty(m, n)
    return Launch(matmul_persistent_kernel, (4, ), (a, b, c, m, n, k, k, n, n),
                  {"NUM": 4, "BM": 128, "BN": 128, "BK": 64, "GROUP": 8}, [(c, wide(a) @ wide(b))])


@triton.jit
def bmm_kernel(a_ptr, b_ptr, c_ptr, M, N, K, sab, sam, sbb, sbk, scb, scm, BM: tl.constexpr, BN: tl.constexpr,
               BK: tl.constexpr):
    pb = tl.program_id(1).to(tl.int64)
    pid = tl.program_id(0)
    nn = tl.cdiv(N, BN)
    pm = pid // nn
    pn = pid % nn
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a = a_ptr + pb * sab + rm[:, None] * sam + rk[None, :]
    b = b_ptr + pb * sbb + rk[:, None] * sbk + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a, mask=(rm[:, None] < M) & (rk[None, :] < K - k), other=0.0)
        y = tl.load(b, mask=(rk[:, None] < K - k) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
        a += BK
        b += BK * sbk
    tl.store(c_ptr + pb * scb + rm[:, None] * scm + rn[None, :], acc.to(tl.bfloat16),
             mask=(rm[:, None] < M) & (rn[None, :] < N))


@case
def bmm(data):
    batch, m, n, k = data.sizes((2, 128, 64, 64), (3, 100, 70, 40))
    a, b, c = data.normal(batch, m, k), data.normal(batch, k, n), empty(batch, m, n)
    return Launch(bmm_kernel, (blocks(m, 64) * blocks(n, 64), batch), (a, b, c, m, n, k, m * k, k, k * n, n, m * n, n),
                  {"BM": 64, "BN": 64, "BK": 32}, [(c, wide(a) @ wide(b))])


@triton.jit
def bmm_3d_dot_kernel(a_ptr, b_ptr, c_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """3-D tensors and 3-D dot, plus reshape/permute"""
    bi = tl.arange(0, B)
    mi = tl.arange(0, M)
    ni = tl.arange(0, N)
    ki = tl.arange(0, K)
    a = tl.load(a_ptr + bi[:, None, None] * (M * K) + mi[None, :, None] * K + ki[None, None, :])
    b = tl.load(b_ptr + bi[:, None, None] * (K * N) + ki[None, :, None] * N + ni[None, None, :])
    c = tl.dot(a, b)
    c = tl.permute(c, (1, 0, 2))
    c = tl.reshape(c, (M, B * N))
    tl.store(c_ptr + mi[:, None] * (B * N) + tl.arange(0, B * N)[None, :], c)


@case
def bmm_3d_dot(data):
    batch, m, n, k = data.sizes((4, 32, 32, 64), (2, 16, 64, 16))
    a, b, c = data.normal(batch, m, k), data.normal(batch, k, n), empty(m, batch * n, dtype=F32)
    return Launch(bmm_3d_dot_kernel, (1, ), (a, b, c), {"B": batch, "M": m, "N": n, "K": k},
                  [(c, (wide(a) @ wide(b)).transpose(1, 0, 2).reshape(m, -1))])


@triton.jit
def matmul_splitk_kernel(a_ptr, b_ptr, c_ptr, M, N, K, sam, sbk, scm, scs, SPLIT: tl.constexpr, BM: tl.constexpr,
                         BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    ps = tl.program_id(2)
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = ps * BK + tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK * SPLIT)):
        kk = rk + k * BK * SPLIT
        x = tl.load(a_ptr + rm[:, None] * sam + kk[None, :], mask=(rm[:, None] < M) & (kk[None, :] < K), other=0.0)
        y = tl.load(b_ptr + kk[:, None] * sbk + rn[None, :], mask=(kk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
    tl.atomic_add(c_ptr + rm[:, None] * scm + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N),
                  sem="relaxed")


@case
def matmul_splitk_atomic(data):
    m, n, k = data.sizes((64, 64, 512), (60, 50, 300))
    a, b, c = data.normal(m, k), data.normal(k, n), numbers(np.zeros((m, n)), F32)
    return Launch(matmul_splitk_kernel, (blocks(m, 64), blocks(n, 64), 4), (a, b, c, m, n, k, k, n, n, 0),
                  {"SPLIT": 4, "BM": 64, "BN": 64, "BK": 32}, [(c, wide(a) @ wide(b))])


@triton.jit
def grouped_gemm_kernel(a_ptrs, b_ptrs, c_ptrs, sizes, lds, groups, NUM: tl.constexpr, BM: tl.constexpr,
                        BN: tl.constexpr, BK: tl.constexpr):
    tile = tl.program_id(0)
    last_end = 0
    for g in range(groups):
        gm = tl.load(sizes + g * 3)
        gn = tl.load(sizes + g * 3 + 1)
        gk = tl.load(sizes + g * 3 + 2)
        nm = tl.cdiv(gm, BM)
        nn = tl.cdiv(gn, BN)
        nt = nm * nn
        while tile >= last_end and tile < last_end + nt:
            lda = tl.load(lds + g * 3)
            ldb = tl.load(lds + g * 3 + 1)
            ldc = tl.load(lds + g * 3 + 2)
            a = tl.load(a_ptrs + g).to(tl.pointer_type(tl.bfloat16))
            b = tl.load(b_ptrs + g).to(tl.pointer_type(tl.bfloat16))
            c = tl.load(c_ptrs + g).to(tl.pointer_type(tl.bfloat16))
            idx = tile - last_end
            tm = idx // nn
            tn = idx % nn
            rm = tm * BM + tl.arange(0, BM)
            rn = tn * BN + tl.arange(0, BN)
            rk = tl.arange(0, BK)
            ap = a + rm[:, None] * lda + rk[None, :]
            bp = b + rk[:, None] * ldb + rn[None, :]
            acc = tl.zeros((BM, BN), dtype=tl.float32)
            for kk in range(0, tl.cdiv(gk, BK)):
                x = tl.load(tl.multiple_of(ap, [16, 16]))
                y = tl.load(tl.multiple_of(bp, [16, 16]))
                acc += tl.dot(x, y)
                ap += BK
                bp += BK * ldb
            tl.store(c + ldc * rm[:, None] + rn[None, :], acc.to(tl.bfloat16))
            tile += NUM
        last_end = last_end + nt


@case
def grouped_gemm_ptrs(data):
    pointers = [numbers(np.zeros(2), I64) for _ in range(3)]
    return Launch(grouped_gemm_kernel, (2, ), (*pointers, numbers([128] * 6), numbers([128] * 6), 2),
                  {"NUM": 84, "BM": 128, "BN": 128, "BK": 32}, [])


@triton.jit
def moe_gemm_kernel(a_ptr, b_ptr, c_ptr, sorted_ids_ptr, expert_ids_ptr, n_post_ptr, topk_w_ptr, N, K, n_valid, sam,
                    sbe, sbn, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TOPK: tl.constexpr):
    """indirect (gather) rows: tokens sorted by expert (fused MoE style)"""
    pid = tl.program_id(0)
    nn = tl.cdiv(N, BN)
    pm = pid // nn
    pn = pid % nn
    npost = tl.load(n_post_ptr)
    if pm * BM >= npost:
        return
    tok = tl.load(sorted_ids_ptr + pm * BM + tl.arange(0, BM))
    tmask = tok < n_valid
    e = tl.load(expert_ids_ptr + pm).to(tl.int64)
    rn = (pn * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    a = a_ptr + (tok[:, None] // TOPK * sam + rk[None, :])
    b = b_ptr + e * sbe + (rk[:, None] + rn[None, :] * sbn)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(a, mask=tmask[:, None] & (rk[None, :] < K - k * BK), other=0.0)
        y = tl.load(b, mask=rk[:, None] < K - k * BK, other=0.0)
        acc += tl.dot(x, y)
        a += BK
        b += BK
    w = tl.load(topk_w_ptr + tok, mask=tmask, other=0.0)
    acc = acc * w[:, None]
    cn = pn * BN + tl.arange(0, BN)
    tl.store(c_ptr + scm * tok[:, None] + cn[None, :], acc.to(tl.bfloat16), mask=tmask[:, None] & (cn[None, :] < N))


def sorted_by_expert(experts, block):
    """Places in `experts` by expert, each expert's filled up to whole blocks with a place past the end, and each
    block's expert."""
    order, owners = [], []
    for expert in np.unique(experts):
        places = np.flatnonzero(experts == expert)
        missing = -len(places) % block
        order += [*places, *[len(experts)] * missing]
        owners += [expert] * ((len(places) + missing) // block)
    return order, owners


@case
def moe_gemm_gather(data):
    tokens, k, n = data.sizes((64, 64, 64), (50, 40, 70))
    experts = data.random.permuted(np.tile(np.arange(4), (tokens, 1)), axis=1)[:, :2].ravel()
    order, owners = sorted_by_expert(experts, 64)
    a, b, c = data.normal(tokens, k), data.normal(4, n, k), empty(2 * tokens, n)
    weights, used = data.normal(2 * tokens, dtype=F32), numbers([len(order)])
    # One block more is launched than there is work for.
    order, owners = numbers(order + [2 * tokens] * 64), numbers(owners + [0])
    rows = wide(a)[np.arange(2 * tokens) // 2]
    return Launch(moe_gemm_kernel, (len(owners) * blocks(n, 64), ),
                  (a, b, c, order, owners, used, weights, n, k, 2 * tokens, k, n * k, k, n),
                  {"BM": 64, "BN": 64, "BK": 32, "TOPK": 2},
                  [(c, wide(weights)[:, None] * np.einsum("rk,rnk->rn", rows, wide(b)[experts]))])


@triton.jit
def mlp_gelu_kernel(x_ptr, w1_ptr, w2_ptr, y_ptr, M, D, H, sx, s1, s2, sy, BM: tl.constexpr, BH: tl.constexpr,
                    BK: tl.constexpr, DOUT: tl.constexpr):
    """y = gelu_of(x @ w1) @ w2, hidden dimension streamed: dot chained into dot"""
    pm = tl.program_id(0)
    rm = pm * BM + tl.arange(0, BM)
    rd = tl.arange(0, DOUT)
    out = tl.zeros((BM, DOUT), dtype=tl.float32)
    for h in range(0, H, BH):
        rh = h + tl.arange(0, BH)
        acc = tl.zeros((BM, BH), dtype=tl.float32)
        for k in range(0, D, BK):
            rk = k + tl.arange(0, BK)
            x = tl.load(x_ptr + rm[:, None] * sx + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < D), other=0.0)
            w = tl.load(w1_ptr + rk[:, None] * s1 + rh[None, :], mask=(rk[:, None] < D) & (rh[None, :] < H), other=0.0)
            acc = tl.dot(x, w, acc)
        g = gelu_tanh_of(acc).to(tl.bfloat16)
        w2 = tl.load(w2_ptr + rh[:, None] * s2 + rd[None, :], mask=rh[:, None] < H, other=0.0)
        out = tl.dot(g, w2, out)
    tl.store(y_ptr + rm[:, None] * sy + rd[None, :], out.to(tl.bfloat16), mask=rm[:, None] < M)


@case
def mlp_gelu_fused(data):
    m, d, h = data.sizes((128, 64, 128), (100, 70, 100))
    x, w1, w2 = data.normal(m, d), data.normal(d, h, scale=0.2), data.normal(h, 128, scale=0.2)
    y = empty(m, 128)
    return Launch(mlp_gelu_kernel, (blocks(m, 64), ), (x, w1, w2, y, m, d, h, d, h, 128, 128),
                  {"BM": 64, "BH": 64, "BK": 32, "DOUT": 128}, [(y, gelu_tanh(wide(x) @ wide(w1)) @ wide(w2))])


@triton.jit
def dequant_gemm_i4_kernel(a_ptr, bq_ptr, s_ptr, c_ptr, M, N, K, sam, sbk, ssg, scm, BM: tl.constexpr, BN: tl.constexpr,
                           BK: tl.constexpr, GS: tl.constexpr):
    """W4A16: 8 nibbles per int32 along K, per-group scales"""
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    sh = (rk % 8) * 4
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        a = tl.load(a_ptr + rm[:, None] * sam + (k + rk)[None, :], mask=rm[:, None] < M, other=0.0)
        q = tl.load(bq_ptr + ((k + rk) // 8)[:, None] * sbk + rn[None, :])
        q = (q >> sh[:, None]) & 0xF
        s = tl.load(s_ptr + (k // GS) * ssg + rn)
        b = ((q - 8).to(tl.bfloat16) * s[None, :])
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rm[:, None] * scm + rn[None, :], acc.to(tl.bfloat16), mask=rm[:, None] < M)


@case
def dequant_gemm_i4(data):
    m, n, k = data.sizes((16, 128, 128), (8, 64, 256))
    q = data.random.integers(0, 16, (k, n))
    packed = sum(q[i::8].astype(np.uint32) << np.uint32(4 * i) for i in range(8)).view(np.int32)
    a, scales, c = data.normal(m, k), data.normal(k // 128, n), empty(m, n)
    return Launch(dequant_gemm_i4_kernel, (blocks(m, 16), blocks(n, 64)),
                  (a, numbers(packed), scales, c, m, n, k, k, n, n, n), {"BM": 16, "BN": 64, "BK": 64, "GS": 128},
                  [(c, wide(a) @ ((q - 8) * np.repeat(wide(scales), 128, axis=0)))])


@triton.jit
def fp8_matmul_kernel(a_ptr, b_ptr, sa_ptr, sb_ptr, c_ptr, M, N, K, sam, sbn, scm, BM: tl.constexpr, BN: tl.constexpr,
                      BK: tl.constexpr):
    """fp8 with a scale for each 128 of k, applied to the sums"""
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    kb = tl.cdiv(K, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, kb):
        a = tl.load(a_ptr + rm[:, None] * sam + (k * BK + rk)[None, :], mask=rm[:, None] < M, other=0)
        b = tl.load(b_ptr + (k * BK + rk)[:, None] + rn[None, :] * sbn, mask=rn[None, :] < N, other=0)
        sa = tl.load(sa_ptr + rm * kb + k, mask=rm < M, other=0.0)
        sb = tl.load(sb_ptr + pn * kb + k)
        a, b = a.to(tl.float8e4nv, bitcast=True), b.to(tl.float8e4nv, bitcast=True)
        acc += tl.dot(a, b) * sa[:, None] * sb
    tl.store(c_ptr + rm[:, None] * scm + rn[None, :], acc.to(tl.bfloat16), mask=(rm[:, None] < M) & (rn[None, :] < N))


@case
def fp8_matmul_blockscale(data):
    m, n, k = data.sizes((128, 128, 256), (100, 70, 256))
    a, b = (numbers(data.random.integers(0, 120, shape), np.uint8) for shape in ((m, k), (n, k)))
    scales_a, scales_b, c = data.normal(m, k // 128, dtype=F32), data.normal(1, k // 128, dtype=F32), empty(m, n)
    held = (np.asarray(x).view(ml_dtypes.float8_e4m3fn).astype(float).reshape(len(x), -1, 128) for x in (a, b))
    products = np.einsum("mgk,ngk->mng", *held)
    return Launch(fp8_matmul_kernel, (blocks(m, 64), blocks(n, 128)),
                  (a, b, scales_a, scales_b, c, m, n, k, k, k, n), {"BM": 64, "BN": 128, "BK": 128},
                  [(c, np.einsum("mng,mg,ng->mn", products, wide(scales_a), wide(scales_b)))])
