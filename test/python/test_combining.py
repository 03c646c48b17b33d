# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers and places of extremes are exact: all digits count."""
import numpy as np
import pytest
from drawloom import array
from kernels import bits, combining
from kernels.line import BF16, F32, checked

I32 = np.int32


@pytest.fixture(params=["wormhole", "blackhole"])
def machine(request):
    return {"machine": request.param}


def whole(*shape, seed=0):
    """Integers whose sums leave 24 bits, and even 32."""
    return np.random.default_rng(seed).integers(-(2**31), 2**31, shape).astype(I32)


@pytest.mark.parametrize("operation", ["sum", "max", "min"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(64, 128), (45, 70)])
def test_integers_of_blocks(machine, shape, axis, operation):
    x, y = whole(*shape), np.zeros(shape[1 - axis], I32)
    if operation != "sum":  # padding is 0 in the kernel
        x = np.abs(x) if operation == "max" else -np.abs(x)
    checked(combining.integers, (1, ), array(x), array(y), *shape, AXIS=axis, OPERATION=operation, ROWS=64,
            COLUMNS=128, asked=machine)
    np.testing.assert_array_equal(y, getattr(x, operation)(axis=axis, **({"dtype": I32} if operation == "sum" else {})))


@pytest.mark.parametrize("n", [2048, 1500])
def test_integers_of_a_vector(machine, n):
    x = whole(n) >> 8
    count, total, least = (np.zeros(1, I32) for _ in range(3))
    checked(combining.count_and_total, (1, ), array(x), array(count), array(total), array(least), n, BLOCK=512,
            asked=machine)
    assert (count[0], total[0], least[0]) == ((x > 0).sum(), x.sum(dtype=I32), min(x.min(), 0 if n % 512 else x.min()))


@pytest.mark.parametrize("dtype", [F32, BF16])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(64, 128), (45, 70)])
def test_places(machine, shape, axis, dtype):
    x = (1 + np.random.default_rng(0).integers(0, 40, shape) * 2.0**-20).astype(F32)  # with ties: the first counts
    if dtype == BF16:
        x = np.round(np.random.default_rng(1).standard_normal(shape) * 4).astype(BF16)
    kept = shape[1 - axis]
    largest, first, last = np.zeros(kept, F32), np.zeros(kept, I32), np.zeros(kept, I32)
    checked(combining.places, (1, ), array(x), array(largest), array(first), array(last), *shape, AXIS=axis, ROWS=64,
            COLUMNS=128, asked=machine)
    wide = x.astype(float)
    np.testing.assert_array_equal(largest, wide.max(axis))
    np.testing.assert_array_equal(first, wide.argmax(axis))
    np.testing.assert_array_equal(last, wide.argmin(axis))


def test_places_among_many(machine):
    x = np.round(np.random.default_rng(0).standard_normal((5, 2500)) * 8).astype(BF16)
    place = np.zeros(5, I32)
    checked(combining.first_largest, (5, ), array(x), array(place), 2500, BLOCK=4096, asked=machine)
    np.testing.assert_array_equal(place, x.astype(float).argmax(1))


@pytest.mark.parametrize("experts", [64, 40])
def test_a_routers_choice(machine, experts):
    x = np.random.default_rng(0).standard_normal((50, experts)).astype(F32)
    weight, choice = np.zeros(50, F32), np.zeros(50, I32)
    checked(combining.choices, (50, ), array(x), array(weight), array(choice), experts, BLOCK=64, asked=machine)
    np.testing.assert_array_equal(choice, x.argmax(1))
    e = np.exp(x.astype(float))
    np.testing.assert_allclose(weight, e.max(1) / e.sum(1), rtol=2e-3)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("n", [128, 100])
@pytest.mark.parametrize("dtype", [I32, F32])
def test_sums_along_a_vector(machine, dtype, n, reverse):
    x = whole(n) if dtype == I32 else np.random.default_rng(0).standard_normal(n).astype(F32)
    y = np.zeros(n, dtype)
    checked(combining.running_totals, (1, ), array(x), array(y), n, BLOCK=128, REVERSE=reverse, asked=machine)
    expected = x[::-1].cumsum(dtype=dtype)[::-1] if reverse else x.cumsum(dtype=dtype)
    if dtype == I32:
        np.testing.assert_array_equal(y, expected)
    else:
        np.testing.assert_allclose(y, expected, atol=np.abs(x).cumsum()[-1] * 2.0**-10)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(32, 64), (20, 50)])
def test_integers_along_axes(machine, shape, axis):
    x, y = whole(*shape), np.zeros(shape, I32)
    checked(combining.running_rows, (1, ), array(x), array(y), *shape, AXIS=axis, ROWS=32, COLUMNS=64, asked=machine)
    np.testing.assert_array_equal(y, x.cumsum(axis, dtype=I32))


@pytest.mark.parametrize("divisor", [3, 7, 1000])
def test_quotients(machine, divisor):
    n = 1500
    x, d = whole(n), np.random.default_rng(1).integers(1, 2**16, n).astype(I32)
    x[:4] = -(2**31), 2**31 - 1, 0, -1
    d[::2] *= -1
    number, rest, quotient, mixed = (np.zeros(n, I32) for _ in range(4))
    checked(combining.quotients, (2, ), array(x), array(d), array(number), array(rest), array(quotient), array(mixed), n,
            DIVISOR=divisor, BLOCK=1024, asked=machine)
    lanes = np.arange(n)
    np.testing.assert_array_equal(number, lanes // divisor * 1000 + lanes % divisor)
    wide = x.astype(np.int64)
    np.testing.assert_array_equal(quotient, np.fix(wide / divisor))
    np.testing.assert_array_equal(rest, np.fmod(wide, divisor))
    np.testing.assert_array_equal(mixed, np.fix(wide / d))


@pytest.mark.parametrize("m,n,k", [(32, 64, 128), (20, 50, 100)])
def test_products_of_int8(machine, m, n, k):
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-128, 128, shape).astype(np.int8) for shape in ((m, k), (k, n)))
    c = np.zeros((m, n), I32)
    checked(combining.int8_product, (1, ), array(a), array(b), array(c), m, n, k, M=32, N=64, K=64, asked=machine)
    np.testing.assert_array_equal(c, a.astype(I32) @ b.astype(I32))


@pytest.mark.parametrize("dtype", [BF16, F32])
def test_halves_of_a_product(machine, dtype):
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((32, 64)).astype(dtype), rng.standard_normal((64, 64)).astype(dtype)
    c = np.zeros((32, 32), F32)
    checked(combining.gated, (1, ), array(a), array(b), array(c), M=32, N=32, K=64, asked=machine)
    product = a.astype(float) @ b.astype(float)
    gate, value = product[:, ::2], product[:, 1::2]
    np.testing.assert_allclose(c, gate / (1 + np.exp(-gate)) * value, atol=np.abs(c).max() * 2**-7)


@pytest.mark.parametrize("divisor", [3, 12])
def test_lanes_by_a_remainder(machine, divisor):
    n = 1500
    x, y = np.random.default_rng(0).standard_normal(n).astype(F32), np.zeros(n, F32)
    checked(combining.every_third, (2, ), array(x), array(y), n, DIVISOR=divisor, BLOCK=1024, asked=machine)
    np.testing.assert_array_equal(y, np.where(np.arange(n) % divisor == 1, x, -x))


@pytest.mark.parametrize("a,b", [(3, 2), (4, 5), (7, 3), (1, 6), (8, 16)])
def test_digits_of_lane_numbers(machine, a, b):
    n = 700
    y = np.zeros(n, I32)
    checked(combining.digits, (2, ), array(y), n, A=a, B=b, BLOCK=512, asked=machine)
    lane = np.arange(n)
    np.testing.assert_array_equal(y, lane // a % b + 100 * (lane % (a * b) // b) + 10000 * (lane // a % b == 0))


@pytest.mark.parametrize("rows, n, block", [(20, 100, 128), (40, 17, 32), (3, 300, 512)])
def test_moments(machine, rows, n, block):
    x = 3 + np.random.default_rng(1).standard_normal((rows, n)).astype(F32)
    mean, variance = np.zeros(rows, F32), np.zeros(rows, F32)
    checked(combining.moments_of_rows, (rows, ), array(x), array(mean), array(variance), n, BLOCK=block, asked=machine)
    np.testing.assert_allclose(mean, x.astype(float).mean(axis=1), rtol=1e-5)
    np.testing.assert_allclose(variance, x.astype(float).var(axis=1), rtol=1e-5)


def test_logs_of_sums(machine):
    x, y = 4 * np.random.default_rng(2).standard_normal((33, 100)).astype(F32), np.zeros(33, F32)
    checked(combining.log_of_sum, (33, ), array(x), array(y), 100, BLOCK=128, asked=machine)
    np.testing.assert_allclose(y, np.log(np.exp(x.astype(float)).sum(axis=1)), rtol=1e-5)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(64, 64), (50, 33)])
def test_products_of_lanes(machine, shape, axis):
    x = 1 + 0.1 * np.random.default_rng(3).standard_normal(shape).astype(F32)
    y = np.zeros(shape[1 - axis], F32)
    checked(combining.product_of_lanes, (1, ), array(x), array(y), *shape, AXIS=axis, ROWS=64, COLUMNS=64, asked=machine)
    np.testing.assert_allclose(y, x.astype(float).prod(axis=axis), rtol=1e-5)


@pytest.mark.parametrize("n", [1024, 100])
def test_bits_of_numbers(machine, n):
    x = np.random.default_rng(0).standard_normal(n).astype(F32)
    after, sign = np.zeros(n, F32), np.zeros(n, I32)
    checked(bits.next_and_sign, (-(-n // 128), ), array(x), array(after), array(sign), n, BLOCK=128, asked=machine)
    np.testing.assert_array_equal(after, np.nextafter(x, np.copysign(np.float32(np.inf), x)))
    np.testing.assert_array_equal(sign, np.signbit(x))


@pytest.mark.parametrize("n, block", [(50, 64), (200, 256)])
def test_scans_of_a_vector(machine, n, block):
    x, y = np.random.default_rng(4).standard_normal(n).astype(F32), np.zeros(n, F32)
    checked(combining.largest_so_far, (1, ), array(x), array(y), n, BLOCK=block, asked=machine)
    np.testing.assert_array_equal(y, np.maximum.accumulate(x))
