# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles of three axes and more: broadcasts, reductions along each axis, axes of one lane."""
import numpy as np
import pytest
from drawloom import array
from kernels import axes
from kernels.line import BF16, F32, checked

BLOCKS = {"PLANES": 4, "ROWS": 32, "COLUMNS": 64}
shapes = pytest.mark.parametrize("shape", [(4, 32, 64), (3, 20, 50)], ids=["aligned", "ragged"])


@pytest.fixture(params=["wormhole", "blackhole"])
def machine(request):
    return {"machine": request.param}


def numbers(*shape, dtype=F32, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@shapes
@pytest.mark.parametrize("operation", ["sum", "max"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_reductions(machine, axis, operation, shape):
    x = numbers(*shape, dtype=BF16)
    y = np.zeros(np.delete(shape, axis), F32)
    checked(axes.combine, (1, ), array(x), array(y), *shape, AXIS=axis, OPERATION=operation, **BLOCKS, asked=machine)
    np.testing.assert_allclose(y, getattr(x.astype(float), operation)(axis), atol=np.sqrt(np.prod(shape)) * 2**-10)


@shapes
@pytest.mark.parametrize("axis", [1, 2])
@pytest.mark.parametrize("dtype", [F32, BF16])
def test_softmax(machine, dtype, axis, shape):
    x, y = numbers(*shape, dtype=dtype), np.zeros(shape, dtype)
    checked(axes.softmax, (1, ), array(x), array(y), *shape, AXIS=axis, **BLOCKS, asked=machine)
    e = np.exp(x.astype(float))
    np.testing.assert_allclose(y.astype(float), e / e.sum(axis, keepdims=True), rtol=2**-6, atol=2**-10)


def test_five_axes(machine):
    a, b, c, y = numbers(2, 4), numbers(2, 32, seed=1), numbers(4, seed=2), np.zeros((2, 2, 4, 4, 32), F32)
    checked(axes.outer_product, (1, ), array(a), array(b), array(c), array(y), A=2, B=2, C=4, D=4, E=32, asked=machine)
    wide = a.astype(float)[:, None, :, None, None] * b[None, :, None, None, :] + c[:, None]
    np.testing.assert_allclose(y, wide, rtol=2**-8, atol=2**-8)


@pytest.mark.parametrize("positions", [64, 50])
@pytest.mark.parametrize("dtype", [F32, BF16])
def test_an_axis_of_one_head(machine, dtype, positions):
    q, k, v = (numbers(2, positions, 64, dtype=dtype, seed=i) for i in range(3))
    o = np.zeros((2, positions, 64), dtype)
    checked(axes.batched_attention, (2, 2), array(q), array(k), array(v), array(o), positions, BLOCK=32, WIDTH=64,
            asked=machine)
    scores = q.astype(float) @ k.astype(float).transpose(0, 2, 1) / 8
    e = np.exp(scores - scores.max(2, keepdims=True))
    expected = e / e.sum(2, keepdims=True) @ v.astype(float)
    np.testing.assert_allclose(o.astype(float), expected, atol=np.abs(expected).max() * 2**-6)
