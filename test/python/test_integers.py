# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers of every width that memory holds are exact, with a sign or without."""
import numpy as np
import pytest
from drawloom import array
from kernels import integers
from kernels.line import F32, checked


@pytest.fixture(params=["wormhole", "blackhole"])
def machine(request):
    return {"machine": request.param}


def numbers(dtype, n=300, seed=0):
    limits = np.iinfo(dtype)
    low, high = max(limits.min, -2**31), min(limits.max, 2**31 - 1 if dtype == np.int64 else limits.max)
    values = np.random.default_rng(seed).integers(low, high, n, dtype=np.int64, endpoint=True)
    values[:4] = low, high, 0, 1
    return values.astype(dtype)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.int64])
def test_as_floats(machine, dtype):
    x, y = numbers(dtype), np.zeros(300, F32)
    checked(integers.to_float, (2, ), array(x), array(y), 300, BLOCK=256, asked=machine)
    np.testing.assert_array_equal(y, x.astype(F32))


@pytest.mark.parametrize("dtype, largest", [(np.uint8, 255), (np.int8, 127), (np.uint16, 65535), (np.int16, 32767), (np.uint32, 2**32 - 257), (np.int32, 2**30)])
def test_from_floats(machine, dtype, largest):
    x = np.random.default_rng(1).uniform(0 if np.iinfo(dtype).min == 0 else -largest, largest, 300).astype(F32)
    x[0], y = largest, np.zeros(300, dtype)
    checked(integers.from_float, (2, ), array(x), array(y), 300, BLOCK=256, asked=machine)
    np.testing.assert_array_equal(y, np.trunc(x).astype(np.int64).astype(dtype))


EXPECTED = {
    "sum": lambda x, y: x + y,
    "product": lambda x, y: x * y,
    "largest": np.maximum,
    "shifted": lambda x, y: (x >> 3) | (y << 2),
    "quotient": lambda x, y: np.trunc(x.astype(np.longdouble) / 7).astype(x.dtype),
    "rest": lambda x, y: np.fmod(x, np.array(7, x.dtype)),
    "chosen": lambda x, y: np.where(x <= y, x - y, y),
}


@pytest.mark.parametrize("operation", EXPECTED)
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16, np.uint32])
def test_arithmetic(machine, dtype, operation):
    x, y, z = numbers(dtype), numbers(dtype, seed=2), np.zeros(300, dtype)
    checked(integers.arithmetic, (2, ), array(x), array(y), array(z), 300, OPERATION=operation, BLOCK=256, asked=machine)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(z, EXPECTED[operation](x, y))


def test_nibbles(machine):
    packed, numbered, again = numbers(np.uint8, 100), np.zeros(200, F32), np.zeros(100, np.uint8)
    checked(integers.unpack_nibbles, (1, ), array(packed), array(numbered), 100, BLOCK=128, asked=machine)
    np.testing.assert_array_equal(numbered, np.stack([packed & 15, packed >> 4], 1).ravel())
    checked(integers.pack_nibbles, (1, ), array(numbered.astype(np.int32)), array(again), 100, BLOCK=128, asked=machine)
    np.testing.assert_array_equal(again, packed)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32])
def test_descriptors_of_integers(dtype, machine):
    x = numbers(dtype, 50 * 80).reshape(50, 80) // 2
    copy, y = np.zeros_like(x), np.zeros((50, 80), F32)
    checked(integers.scaled_integers, (2, 3), array(x), array(copy), array(y), 50, 80, BLOCK=32, asked=machine)
    np.testing.assert_array_equal(copy, x)
    np.testing.assert_allclose(y, x * 0.5, rtol=1e-6)
