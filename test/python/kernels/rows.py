# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose programs each work on one row, which share tiles once folded."""
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, y_ptr, stride, columns, BLOCK: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + column, mask=column < columns, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * stride + column, (e / tl.sum(e, axis=0)).to(y_ptr.dtype.element_ty), mask=column < columns)


@triton.jit
def softmax_online(x_ptr, y_ptr, stride, columns, BLOCK: tl.constexpr):
    """Two passes over blocks of a row, the statistics carried along."""
    row = tl.program_id(0)
    largest, total = -float("inf"), 0.0
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + column, mask=column < columns, other=-float("inf")).to(tl.float32)
        new = tl.maximum(largest, tl.max(x, axis=0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(x - new), axis=0)
        largest = new
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + column, mask=column < columns, other=-float("inf")).to(tl.float32)
        tl.store(y_ptr + row * stride + column, (tl.exp(x - largest) / total).to(y_ptr.dtype.element_ty),
                 mask=column < columns)


@triton.jit
def layernorm(x_ptr, y_ptr, weight_ptr, bias_ptr, mean_ptr, rstd_ptr, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * columns
    y_ptr += row * columns
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + column, mask=column < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + column, mask=column < columns, other=0.0).to(tl.float32)
        x = tl.where(column < columns, x - mean, 0.0)
        squares += x * x
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        inside = column < columns
        weight = tl.load(weight_ptr + column, mask=inside).to(tl.float32)
        bias = tl.load(bias_ptr + column, mask=inside).to(tl.float32)
        x = tl.load(x_ptr + column, mask=inside, other=0.0).to(tl.float32)
        tl.store(y_ptr + column, ((x - mean) * rstd * weight + bias).to(y_ptr.dtype.element_ty), mask=inside)


@triton.jit
def rmsnorm_heads(x_ptr, weight_ptr, y_ptr, heads, eps, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """Rows numbered by batch and head, a weight for each head."""
    row, column = tl.program_id(0), tl.arange(0, BLOCK)
    inside = column < WIDTH
    x = tl.load(x_ptr + row * WIDTH + column, mask=inside, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / WIDTH + eps)
    weight = tl.load(weight_ptr + row % heads).to(tl.float32)
    tl.store(y_ptr + row * WIDTH + column, (x * scale * weight).to(y_ptr.dtype.element_ty), mask=inside)


@triton.jit
def causal_softmax(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    """Row i sees columns up to i."""
    row, column = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + column, mask=(column < columns) & (column <= row), other=-float("inf"))
    e = tl.exp(x.to(tl.float32) - tl.max(x.to(tl.float32), axis=0))
    tl.store(y_ptr + row * columns + column, e / tl.sum(e, axis=0), mask=column < columns)
