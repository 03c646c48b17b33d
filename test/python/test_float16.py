# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""float16 runs, held as float32; the caller's memory stays float16."""
import numpy as np
import pytest
from drawloom import array
from kernels import float16
from kernels.line import F32, checked
from triton.tools.tensor_descriptor import TensorDescriptor

F16 = np.float16


def numbers(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(F16)


@pytest.fixture(params=["wormhole", "blackhole"])
def machine(request):
    return {"machine": request.param}


@pytest.mark.parametrize("M, N, K", [(64, 64, 64), (70, 90, 100)])
def test_products(machine, M, N, K):
    a, b, c = numbers(1, M, K), numbers(2, K, N), np.zeros((M, N), F16)
    checked(float16.product, (2, 2), array(a), array(b), array(c), M, N, K, BM=64, BN=64, BK=32, asked=machine)
    exact = a.astype(float) @ b.astype(float)
    assert abs(c - exact).max() < 2e-3 * abs(exact).max()


def test_a_view_in_place(machine):
    base, y = numbers(3, 700), numbers(4, 400).astype(F32)
    expected = base.copy()
    expected[100:500] += F16(0.5) * y.astype(F16)
    checked(float16.add_scaled, (2, ), array(base)[100:500], array(y), 0.5, 400, BLOCK=256, asked=machine)
    np.testing.assert_allclose(base, expected, rtol=2e-3, atol=2e-3)
    np.testing.assert_array_equal(base[:100], numbers(3, 700)[:100])


def test_views_that_overlap(machine):
    base = numbers(5, 300)
    first, rest = array(base)[:200], array(base)[100:]
    z = np.zeros(200, F16)
    checked(float16.add_views, (1, ), first, rest, array(z), 200, BLOCK=256, asked=machine)
    np.testing.assert_array_equal(z, base[:200] + base[100:])


def test_overflow_is_infinite(machine):
    x, y = np.full(64, 40000, F16), np.full(64, 40000, F32)
    checked(float16.add_scaled, (1, ), array(x), array(y), 1.0, 64, BLOCK=64, asked=machine)
    assert np.isinf(x).all()


def test_a_descriptor(machine):
    x, y = numbers(6, 32, 64), np.zeros((32, 64), F16)
    source = array(x)
    checked(float16.twice, (1, ), TensorDescriptor.from_tensor(source, [32, 64]), array(y), N=64, BLOCK=32, asked=machine)
    np.testing.assert_array_equal(y, 2 * x)
