# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Policies of numbers: what f32 keeps lane by lane, in products and in sums."""
import json

import numpy as np
import pytest
import triton
import triton.language as tl
from drawloom import array
from kernels import products, rows
from kernels.line import F32, ROOT, checked, command, succeeds

MACHINES = ["wormhole", "blackhole"]
EXACT = {"precision": "exact"}
EXAMPLES = ROOT / "examples" / "triton"


@triton.jit
def lanes(x_ptr, bias_ptr, scale_ptr, y_ptr, sums_ptr, N, BM: tl.constexpr, BN: tl.constexpr):
    """Lane by lane arithmetic on values that a reduction, a repetition, a branch and a loop use too."""
    row, column = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN)
    at = row[:, None] * N + column[None, :]
    x = tl.load(x_ptr + at)
    bias = tl.load(bias_ptr + column)
    scale = tl.load(scale_ptr + row)
    y = (x + bias[None, :]) * scale[:, None]
    tl.store(sums_ptr + row, tl.sum(y, axis=1))
    carried = y
    for _ in range(3):
        carried = tl.where(carried > 0, carried * 0.75 + x, carried - x)
    tl.store(y_ptr + at, carried - y)


def numbers(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(F32)


@pytest.mark.parametrize("machine", MACHINES)
def test_lanes_keep_all_bits(machine):
    x, bias, scale = numbers(1, 64, 128), numbers(2, 128), numbers(3, 64)
    y, sums = np.zeros_like(x), np.zeros(64, F32)
    checked(lanes, (2, ), *map(array, (x, bias, scale, y, sums)), 128, BM=32, BN=128, asked={"machine": machine})
    first = (x + bias) * scale[:, None]
    carried = first
    for _ in range(3):
        carried = np.where(carried > 0, carried * np.float32(0.75) + x, carried - x)
    np.testing.assert_array_equal(y, carried - first)
    np.testing.assert_allclose(sums, first.astype(float).sum(axis=1), atol=5e-2)


@triton.jit
def extremes(x_ptr, y_ptr, sums_ptr, N, BN: tl.constexpr):
    """Which lanes of a row are its largest and its least, found in blocks; the matrix unit takes them, too."""
    row, lane = tl.program_id(0), tl.arange(0, BN)
    most, least, total = -float("inf"), float("inf"), 0.0
    for start in range(0, N, BN):
        x = tl.load(x_ptr + row * N + start + lane)
        most = tl.maximum(most, tl.max(x, axis=0))
        least = tl.minimum(least, tl.min(x, axis=0))
        total += tl.sum(x, axis=0)
    for start in range(0, N, BN):
        x = tl.load(x_ptr + row * N + start + lane)
        tl.store(y_ptr + row * N + start + lane, tl.where(x >= most, 1.0, tl.where(x - least == 0, -1.0, 0.0)))
    tl.store(sums_ptr + row, total)


@pytest.mark.parametrize("machine", MACHINES)
def test_extremes_that_are_compared_keep_all_bits(machine):
    x, y, sums = numbers(5, 40, 96), np.zeros((40, 96), F32), np.zeros(40, F32)
    checked(extremes, (40, ), *map(array, (x, y, sums)), 96, BN=32, asked={"machine": machine})
    most, least = x.max(axis=1, keepdims=True), x.min(axis=1, keepdims=True)
    np.testing.assert_array_equal(y, np.where(x == most, 1, np.where(x == least, -1, 0)))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kernel, block", [(rows.softmax, 128), (rows.softmax_online, 32)])
def test_softmax_is_as_right_as_its_sums(kernel, block, machine):
    x, y = 4 * numbers(4, 32, 100), np.zeros((32, 100), F32)
    checked(kernel, (32, ), array(x), array(y), 100, 100, BLOCK=block, asked={"machine": machine})
    e = np.exp(x.astype(float) - x.max(axis=1, keepdims=True))
    ratio = y / (e / e.sum(axis=1, keepdims=True))
    # A row's denominator is a sum of TF32, of sums of TF32 where a row fills tiles;
    # beside it every element is right to a few units.
    assert abs(ratio - 1).max() < 3e-3
    assert (abs(ratio / np.median(ratio, axis=1, keepdims=True) - 1)).max() < 2e-6


def test_exact_softmax():
    x, y = 4 * numbers(4, 32, 100), np.zeros((32, 100), F32)
    checked(rows.softmax, (32, ), array(x), array(y), 100, 100, BLOCK=128, asked=EXACT)
    e = np.exp(x.astype(float) - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(y, e / e.sum(axis=1, keepdims=True), rtol=3e-6)


def product(precision, machine, M=64, N=64, K=96, spread=1):
    a = numbers(5, M, K) * np.exp(spread * numbers(6, M, K))
    b = numbers(7, K, N) * np.exp(spread * numbers(8, K, N))
    c = np.zeros((M, N), F32)
    result = checked(products.product, (-(-M // 32), -(-N // 32)), array(a), array(b), array(c), M, N, K, K, 1, N, 1, N,
                     1, BM=32, BN=32, BK=32, asked={"precision": precision, "machine": machine})
    exact = a.astype(float) @ b.astype(float)
    scale = abs(a.astype(float)) @ abs(b.astype(float))
    return (abs(c - exact) / scale).max(), result


@pytest.mark.parametrize("machine", MACHINES)
def test_exact_products(machine):
    cut, _ = product("default", machine)
    whole, result = product("exact", machine)
    assert cut > 1e-3 and whole < 2e-6, (cut, whole)
    (comparison, ) = result["check"]
    assert comparison["remaining"] == 0 and comparison["explained"] == comparison["max_error"]
    assert result["policy"]["operands"] < 1e-6 and result["policy"]["alignment"] == 0


@pytest.mark.parametrize("M, N, K", [(8, 1, 50), (33, 70, 100)])
def test_exact_products_at_edges(M, N, K):
    assert product("exact", "wormhole", M, N, K, spread=0)[0] < 5e-7


@pytest.mark.parametrize("machine", MACHINES)
def test_exact_products_of_batches(machine):
    a, b, c = numbers(10, 2, 32, 64), numbers(11, 2, 64, 32), np.zeros((2, 32, 32), F32)
    checked(products.product_of_batches, (1, ), array(a), array(b), array(c), B=2, M=32, N=32, K=64,
            asked=EXACT | {"machine": machine})
    np.testing.assert_allclose(c, a.astype(float) @ b.astype(float), atol=1e-5)


@triton.jit
def statistics(x_ptr, sums_ptr, largest_ptr, smallest_ptr, running_ptr, AXIS: tl.constexpr, BM: tl.constexpr,
               BN: tl.constexpr):
    row, column = tl.arange(0, BM), tl.arange(0, BN)
    at = row[:, None] * BN + column[None, :]
    x = tl.load(x_ptr + at)
    kept = tl.arange(0, BN if AXIS == 0 else BM)
    tl.store(sums_ptr + kept, tl.sum(x, axis=AXIS))
    tl.store(largest_ptr + kept, tl.max(x, axis=AXIS))
    tl.store(smallest_ptr + kept, tl.min(x, axis=AXIS))
    tl.store(running_ptr + at, tl.cumsum(x, axis=AXIS))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("axis", [0, 1])
def test_exact_reductions(axis, machine):
    x, running = numbers(9, 64, 64), np.zeros((64, 64), F32)
    sums, largest, smallest = (np.zeros(64, F32) for _ in range(3))
    checked(statistics, (1, ), *map(array, (x, sums, largest, smallest, running)), AXIS=axis, BM=64, BN=64,
            asked=EXACT | {"machine": machine})
    np.testing.assert_allclose(sums, x.astype(float).sum(axis=axis), atol=3e-6)
    np.testing.assert_allclose(running, x.astype(float).cumsum(axis=axis), atol=5e-6)
    np.testing.assert_array_equal(largest, x.max(axis=axis))
    np.testing.assert_array_equal(smallest, x.min(axis=axis))


@pytest.mark.parametrize("machine", MACHINES)
def test_approximate_exponentials(machine):
    x = 4 * numbers(4, 32, 100)
    e = np.exp(x.astype(float) - x.max(axis=1, keepdims=True))
    errors, times = {}, {}
    for policy in ("default", "exact", "approximate"):
        y = np.zeros((32, 100), F32)
        result = checked(rows.softmax, (32, ), array(x), array(y), 100, 100, BLOCK=128,
                         asked={"exp": policy, "machine": machine})
        errors[policy] = abs(y / (e / e.sum(axis=1, keepdims=True)) - 1).max()
        times[policy] = sum(result["math_cycles"].values())
    # A line between powers of two is off by 3 % both ways, in the element and in the sum.
    assert 0.01 < errors["approximate"] < 0.07 and errors["default"] < 3e-3 and errors["exact"] < 3e-3, errors
    assert times["approximate"] < times["default"] < times["exact"], times


def test_the_exponential_is_in_the_program_and_stays(tmp_path):
    words = ["--", "--rows", 32, "--columns", 64]
    path, emitted = tmp_path / "mapped.mlir", tmp_path / "emitted"
    succeeds("compile", EXAMPLES / "softmax.py", "--exp", "approximate", "--to", "mapped", "-o", path, *words)
    assert "math.exp" in path.read_text() and "fastmath<afn>" in path.read_text()
    resumed = json.loads(succeeds("run", path, "--check", "--emit", emitted, "--json", "-"))
    assert resumed["launches"][0]["check"][0]["beyond"] == 0
    assert any("exp_tile<true>(" in source.read_text() for source in emitted.rglob("*.cpp"))
    assert "exponentials are approximate" in succeeds("plan", EXAMPLES / "softmax.py", "--exp", "approximate", *words)
    refusal = command("run", path, "--exp", "exact")
    assert refusal.returncode == 1 and "edit them there" in refusal.stderr


def test_a_machine_without_an_approximate_exponential(tmp_path):
    machine = tmp_path / "slow.mlir"
    lines = (ROOT / "machines/wormhole.mlir").read_text().splitlines(keepends=True)
    machine.write_text("".join(line for line in lines if "exp_approx" not in line))
    refusal = command("run", EXAMPLES / "softmax.py", "--exp", "approximate", "--machine", machine)
    assert refusal.returncode == 1 and "exp_approx" in refusal.stderr and "softmax.py:" in refusal.stderr


def test_the_policy_is_in_the_program_and_stays(tmp_path):
    words = ["--", "--m", 64, "--n", 64, "--k", 64, "--dtype", "f32"]
    path = tmp_path / "mapped.mlir"
    succeeds("compile", EXAMPLES / "matmul_2d.py", "--precision", "exact", "--to", "mapped", "-o", path, *words)
    assert "precision <hifi4, f32, exact>" in path.read_text()
    resumed = json.loads(succeeds("run", path, "--check", "--json", "-"))
    assert resumed["launches"][0]["check"][0]["beyond"] == 0


def test_the_plan_states_the_policy():
    words = ["--", "--m", 64, "--n", 64, "--k", 64, "--dtype", "f32"]
    printed = succeeds("plan", EXAMPLES / "matmul_2d.py", *words)
    assert "Dst holds f32, the matrix unit runs hifi4" in printed and "cut to 11 bits (TF32; --precision exact" in printed
    assert "taken whole, in parts" in succeeds("plan", EXAMPLES / "matmul_2d.py", "--precision", "exact", *words)
