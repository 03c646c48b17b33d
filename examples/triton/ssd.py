# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mamba-2's state-space layer, in chunks of time: y_t = C_t h_t, h_t = exp(dt_t A) h_(t-1) + dt_t B_t x_t.

    drawloom run examples/triton/ssd.py --check -- --length 200 --heads 4

Four kernels: running sums of dt A in each chunk; the state that each chunk would reach from 0; the states at the
chunks' starts, one after the other; and the outputs, from earlier steps of the chunk and from its first state.
Arrays are x, y [batch, length, heads, head_dim]; dt [batch, length, heads]; B, C [batch, length, groups, state].
"""
import sys

import drawloom
import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def chunk_cumsum_kernel(dt_ptr, a_ptr, steps_ptr, decay_ptr, length, heads, chunks, CHUNK: tl.constexpr):
    """steps = dt and decay = running sums of dt A, as [batch, heads, chunks, CHUNK]; dt past the end is 0."""
    chunk = tl.program_id(axis=0)
    head = tl.program_id(axis=1)
    batch = tl.program_id(axis=2)
    step = tl.arange(0, CHUNK)
    time = chunk * CHUNK + step
    dt = tl.load(dt_ptr + (batch * length + time) * heads + head, mask=time < length, other=0.0).to(tl.float32)
    decay = tl.cumsum(dt * tl.load(a_ptr + head), axis=0)
    offsets = ((batch * heads + head) * chunks + chunk) * CHUNK + step
    tl.store(steps_ptr + offsets, dt)
    tl.store(decay_ptr + offsets, decay)


@triton.jit
def chunk_state_kernel(x_ptr, b_ptr, steps_ptr, decay_ptr, states_ptr, length, heads, groups, chunks,
                       CHUNK: tl.constexpr, BLOCK_K: tl.constexpr, HEAD_DIM: tl.constexpr, STATE: tl.constexpr):
    """states[batch, chunk, head] = sum over t of x_t (exp(decay_last - decay_t) dt_t B_t)"""
    chunk = tl.program_id(axis=0)
    head = tl.program_id(axis=1)
    batch = tl.program_id(axis=2)
    group = head // (heads // groups)
    place = tl.arange(0, HEAD_DIM)
    element = tl.arange(0, STATE)
    first = ((batch * heads + head) * chunks + chunk) * CHUNK
    last = tl.load(decay_ptr + first + CHUNK - 1)
    state = tl.zeros((HEAD_DIM, STATE), dtype=tl.float32)
    for start in range(0, CHUNK, BLOCK_K):
        step = start + tl.arange(0, BLOCK_K)
        time = chunk * CHUNK + step
        x = tl.load(x_ptr + ((batch * length + time[None, :]) * heads + head) * HEAD_DIM + place[:, None],
                    mask=time[None, :] < length, other=0.0)
        b = tl.load(b_ptr + ((batch * length + time[:, None]) * groups + group) * STATE + element[None, :],
                    mask=time[:, None] < length, other=0.0).to(tl.float32)
        weight = tl.exp(last - tl.load(decay_ptr + first + step)) * tl.load(steps_ptr + first + step)
        state = tl.dot(x, (b * weight[:, None]).to(x.dtype), state)
    offsets = ((batch * chunks + chunk) * heads + head) * HEAD_DIM + place[:, None]
    tl.store(states_ptr + offsets * STATE + element[None, :], state)


@triton.jit
def state_passing_kernel(states_ptr, decay_ptr, starts_ptr, final_ptr, heads, chunks, SIZE: tl.constexpr,
                         CHUNK: tl.constexpr, BLOCK: tl.constexpr):
    """starts[batch, chunk, head]: the state before the chunk; final: after the last. SIZE elements each."""
    element = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    head = tl.program_id(axis=1)
    batch = tl.program_id(axis=2)
    state = tl.zeros((BLOCK, ), dtype=tl.float32)
    for chunk in range(chunks):
        offsets = ((batch * chunks + chunk) * heads + head) * SIZE + element
        tl.store(starts_ptr + offsets, state)
        last = tl.load(decay_ptr + ((batch * heads + head) * chunks + chunk) * CHUNK + CHUNK - 1)
        state = tl.exp(last) * state + tl.load(states_ptr + offsets)
    tl.store(final_ptr + (batch * heads + head) * SIZE + element, state)


@triton.jit
def chunk_scan_kernel(x_ptr, b_ptr, c_ptr, steps_ptr, decay_ptr, starts_ptr, y_ptr, length, heads, groups, chunks,
                      CHUNK: tl.constexpr, BLOCK_M: tl.constexpr, HEAD_DIM: tl.constexpr, STATE: tl.constexpr):
    """A program makes BLOCK_M steps of one chunk and head."""
    block = tl.program_id(axis=0) % (CHUNK // BLOCK_M)
    chunk = tl.program_id(axis=0) // (CHUNK // BLOCK_M)
    head = tl.program_id(axis=1)
    batch = tl.program_id(axis=2)
    group = head // (heads // groups)
    place = tl.arange(0, HEAD_DIM)
    element = tl.arange(0, STATE)
    row = block * BLOCK_M + tl.arange(0, BLOCK_M)
    time = chunk * CHUNK + row
    first = ((batch * heads + head) * chunks + chunk) * CHUNK
    decay = tl.load(decay_ptr + first + row)
    c = tl.load(c_ptr + ((batch * length + time[:, None]) * groups + group) * STATE + element[None, :],
                mask=time[:, None] < length, other=0.0)
    # What the state before the chunk still gives.
    at_state = ((batch * chunks + chunk) * heads + head) * HEAD_DIM + place[None, :]
    start = tl.load(starts_ptr + at_state * STATE + element[:, None])
    y = tl.dot(c, start.to(c.dtype)) * tl.exp(decay)[:, None]
    # What this chunk's steps up to each row give.
    for begin in range(0, (block + 1) * BLOCK_M, BLOCK_M):
        step = begin + tl.arange(0, BLOCK_M)
        past = chunk * CHUNK + step
        b = tl.load(b_ptr + ((batch * length + past[None, :]) * groups + group) * STATE + element[:, None],
                    mask=past[None, :] < length, other=0.0)
        x = tl.load(x_ptr + ((batch * length + past[:, None]) * heads + head) * HEAD_DIM + place[None, :],
                    mask=past[:, None] < length, other=0.0)
        fade = tl.exp(decay[:, None] - tl.load(decay_ptr + first + step)[None, :])
        share = tl.dot(c, b) * fade * tl.load(steps_ptr + first + step)[None, :]
        share = tl.where(row[:, None] >= step[None, :], share, 0.0)
        y += tl.dot(share.to(x.dtype), x)
    tl.store(y_ptr + ((batch * length + time[:, None]) * heads + head) * HEAD_DIM + place[None, :],
             y.to(y_ptr.dtype.element_ty), mask=time[:, None] < length)


def ssd(x, dt, a, b, c, y, final, chunk=64):
    """The four launches; y and the final state [batch, heads, head_dim, state] are written."""
    batch, length, heads, head_dim = x.shape
    groups, state = b.shape[2:]
    chunks = triton.cdiv(length, chunk)
    steps, decay = (drawloom.array(np.zeros((batch, heads, chunks, chunk), np.float32)) for _ in range(2))
    states, starts = (drawloom.array(np.zeros((batch, chunks, heads, head_dim, state), np.float32)) for _ in range(2))
    chunk_cumsum_kernel[(chunks, heads, batch)](dt, a, steps, decay, length, heads, chunks, CHUNK=chunk)
    chunk_state_kernel[(chunks, heads, batch)](x, b, steps, decay, states, length, heads, groups, chunks, CHUNK=chunk,
                                               BLOCK_K=32, HEAD_DIM=head_dim, STATE=state)
    size = head_dim * state
    state_passing_kernel[(triton.cdiv(size, 1024), heads, batch)](states, decay, starts, final, heads, chunks,
                                                                  SIZE=size, CHUNK=chunk, BLOCK=1024)
    chunk_scan_kernel[(chunks * (chunk // 32), heads, batch)](x, b, c, steps, decay, starts, y, length, heads, groups,
                                                              chunks, CHUNK=chunk, BLOCK_M=32, HEAD_DIM=head_dim,
                                                              STATE=state)


def recurrence(x, dt, a, b, c):
    """y and the final state in fp64, step by step."""
    batch, length, heads, head_dim = x.shape
    b, c = (np.repeat(wide(values), heads // values.shape[2], axis=2) for values in (b, c))
    state, y = np.zeros((batch, heads, head_dim, b.shape[3])), np.zeros(x.shape)
    for t in range(length):
        step = wide(dt)[:, t, :, None, None]
        state = np.exp(step * wide(a)[:, None, None]) * state
        state += step * wide(x)[:, t, :, :, None] * b[:, t, :, None, :]
        y[:, t] = (state * c[:, t, :, None, :]).sum(axis=3)
    return y, state


def main():
    args = arguments(__doc__, batch=1, length=100, heads=2, groups=1, head_dim=64, state=64)
    data = Data(args)
    x, y = (make(args.batch, args.length, args.heads, args.head_dim) for make in (data.normal, data.empty))
    dt = data.uniform(0.01, 0.2, args.batch, args.length, args.heads, dtype=np.float32)
    a = data.uniform(-2, -0.5, args.heads, dtype=np.float32)
    b, c = (data.normal(args.batch, args.length, args.groups, args.state, scale=0.5) for _ in range(2))
    final = data.empty(args.batch, args.heads, args.head_dim, args.state, dtype=np.float32)
    ssd(x, dt, a, b, c, y, final)

    expected, state = recurrence(x, dt, a, b, c)
    return check(args, roundings=2, y=(y, expected), final=(final, state))


if __name__ == "__main__":
    sys.exit(main())
