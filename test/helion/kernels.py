# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helion kernels on CPU tensors, each with one configuration."""
import math

import helion
import helion.language as hl
import torch


@helion.kernel(config=helion.Config(block_sizes=[64, 64, 32]))
def matmul(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    (m, k), n = x.size(), y.size(1)
    out = torch.empty([m, n], dtype=x.dtype, device=x.device)
    for rows, columns in hl.tile([m, n]):
        total = hl.zeros([rows, columns], dtype=torch.float32)
        for depth in hl.tile(k):
            total = torch.addmm(total, x[rows, depth], y[depth, columns])
        out[rows, columns] = total
    return out


@helion.kernel(config=helion.Config(block_sizes=[32]))
def softmax(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    for rows in hl.tile(x.size(0)):
        values = x[rows, :].to(torch.float32)
        e = torch.exp(values - torch.amax(values, dim=1, keepdim=True))
        out[rows, :] = (e / torch.sum(e, dim=1, keepdim=True)).to(x.dtype)
    return out


@helion.kernel(config=helion.Config(block_sizes=[32]))
def rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    out = torch.empty_like(x)
    for rows in hl.tile(x.size(0)):
        values = x[rows, :].to(torch.float32)
        rstd = torch.rsqrt(torch.mean(values * values, dim=-1) + eps)
        out[rows, :] = (values * rstd[:, None] * weight[:].to(torch.float32)).to(x.dtype)
    return out


@helion.kernel(config=helion.Config(block_sizes=[32, 32]))
def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """[heads, positions, head_dim] each; the softmax online, in powers of 2."""
    heads, positions, _ = q.size()
    head_dim = hl.specialize(q.size(2))
    out = torch.empty_like(q)
    scale = 1.0 / math.sqrt(head_dim) * 1.44269504
    for head, rows in hl.tile([heads, positions], block_size=[1, None]):
        h = head.begin
        largest = hl.full([rows], float("-inf"), dtype=torch.float32)
        sums = hl.zeros([rows], dtype=torch.float32)
        total = hl.zeros([rows, head_dim], dtype=torch.float32)
        queries = q[h, rows, :]
        for keys in hl.tile(positions):
            scores = hl.dot(queries, k[h, keys, :].transpose(0, 1), out_dtype=torch.float32) * scale
            scores = torch.where((keys.index < positions)[None, :], scores, float("-inf"))
            larger = torch.maximum(largest, torch.amax(scores, -1))
            p = torch.exp2(scores - larger[:, None])
            shrink = torch.exp2(largest - larger)
            sums = sums * shrink + torch.sum(p, -1)
            total = torch.addmm(total * shrink[:, None], p.to(v.dtype), v[h, keys, :])
            largest = larger
        out[h, rows, :] = (total / sums[:, None]).to(out.dtype)
    return out


@helion.kernel(config=helion.Config(block_sizes=[1, 32, 32]))
def batched_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """The same with tiles of three axes, the first of one head."""
    heads, positions, _ = q.size()
    head_dim = hl.specialize(q.size(2))
    transposed = k.transpose(1, 2)
    out = torch.empty_like(q)
    scale = 1.0 / math.sqrt(head_dim) * 1.44269504
    for head, rows in hl.tile([heads, positions]):
        largest = hl.full([head, rows], float("-inf"), dtype=torch.float32)
        sums = hl.zeros([head, rows], dtype=torch.float32)
        total = hl.zeros([head, rows, head_dim], dtype=torch.float32)
        queries = q[head, rows, :]
        for keys in hl.tile(positions):
            scores = torch.bmm(queries, transposed[head, :, keys])
            larger = torch.maximum(largest, torch.amax(scores, -1) * scale)
            p = torch.exp2(scores * scale - larger[:, :, None])
            shrink = torch.exp2(largest - larger)
            sums = sums * shrink + torch.sum(p, -1)
            total = torch.baddbmm(total * shrink[:, :, None], p.to(v.dtype), v[head, keys, :])
            largest = larger
        out[head, rows, :] = (total / sums[:, :, None]).to(out.dtype)
    return out


@helion.kernel(config=helion.Config(block_sizes=[32, 32]))
def chunk_scan(c: torch.Tensor, b: torch.Tensor, x: torch.Tensor, decay: torch.Tensor, steps: torch.Tensor,
               starts: torch.Tensor) -> torch.Tensor:
    """Mamba-2's outputs of each chunk: c and b [chunks, length, state], x [chunks, length, head_dim], decay (running
    sums of dt A) and steps (dt) [chunks, length], starts [chunks, state, head_dim]."""
    chunks, length, _ = x.size()
    hl.specialize(c.size(2))
    hl.specialize(x.size(2))
    out = torch.empty_like(x)
    for chunk, rows in hl.tile([chunks, length], block_size=[1, None]):
        n = chunk.begin
        fade = decay[n, rows]
        queries = c[n, rows, :]
        total = hl.dot(queries, starts[n, :, :], out_dtype=torch.float32) * torch.exp(fade)[:, None]
        for past in hl.tile(length):
            share = hl.dot(queries, b[n, past, :].transpose(0, 1), out_dtype=torch.float32)
            share = share * torch.exp(fade[:, None] - decay[n, past][None, :]) * steps[n, past][None, :]
            share = torch.where(rows.index[:, None] >= past.index[None, :], share, 0.0)
            total = torch.addmm(total, share.to(x.dtype), x[n, past, :])
        out[n, rows, :] = total.to(x.dtype)
    return out
