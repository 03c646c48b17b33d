# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scalars from memory, of every type that memory holds, decide what a program does."""
import numpy as np
import pytest
from drawloom import array
from kernels import scalars
from kernels.line import F32, checked, report


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_a_branch_on_a_scalar(dtype, machine):
    kind = np.array([7, 0, -1, 7, 3, -1, 0, 7, 7], dtype)
    x = np.random.default_rng(0).standard_normal((len(kind), 50)).astype(F32)
    y = np.full_like(x, np.nan)
    report(scalars.chosen_rows, (len(kind), ), array(kind), array(x), array(y), 50, asked={"machine": machine}, BLOCK=32)
    expected = np.where(kind[:, None] == -1, 0, np.where(kind[:, None] == 7, 2 * x, x))
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_branches_on_what_is_computed(machine):
    rng = np.random.default_rng(1)
    x, w = (rng.standard_normal(shape).astype(F32) for shape in ((12, 50), 50))
    x[:, 0] += np.arange(12) - 6 - x.sum(axis=1)  # sums of -6 to 5
    x[:, 1] += 0.5
    y = np.full_like(x, 7)
    checked(scalars.rows_by_sum, (12, ), array(x), array(w), array(y), 50, BLOCK=64, asked={"machine": machine})
    total = x.astype(float).sum(axis=1, keepdims=True)
    expected = np.where(total > 2, x * w, np.where(total < 1, np.where(total > -2, -x, x), 7))
    np.testing.assert_allclose(y, expected, rtol=1e-6)


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_the_largest_of_several_blocks(machine):
    x, place = np.random.default_rng(2).standard_normal((12, 500)).astype(F32), np.zeros(12, np.int32)
    checked(scalars.greedy, (12, ), array(x), array(place), 500, BLOCK=128, asked={"machine": machine})
    np.testing.assert_array_equal(place, x.argmax(axis=1))


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("bins", [16, 64])
def test_histograms(bins, machine):
    x, counts = np.random.default_rng(3).integers(-2, bins + 2, (3, 200), np.int32), np.zeros((3, bins), np.int32)
    checked(scalars.histogram, (3, ), array(x), array(counts), 200, BINS=bins, BLOCK=256, asked={"machine": machine})
    np.testing.assert_array_equal(counts, [np.bincount(row[(row >= 0) & (row < bins)], minlength=bins) for row in x])


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_whiles_that_go_on_where_another_ended(machine):
    first, last = np.array([0, 7], np.int32), np.array([4, 10], np.int32)
    x = np.random.default_rng(0).standard_normal((12, 50)).astype(F32)
    y = np.full_like(x, np.nan)
    report(scalars.rows_between, (3, ), array(first), array(last), array(x), array(y), 50,
           asked={"machine": machine}, PROGRAMS=3, BLOCK=64)
    expected = np.full_like(x, np.nan)
    for row in range(3):
        for begin, end in zip(first, last):
            while begin <= row <= end:
                expected[row] = 2 * x[row]
                row += 3
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_a_while_that_counts(machine):
    y = np.zeros((3, 32), F32)
    report(scalars.counted, (3, ), array(y), 70, asked={"machine": machine}, STEP=8, BLOCK=32)
    expected = [sum(range(start, 70, 8)) for start in (0, 32, 64)]
    np.testing.assert_array_equal(y, np.repeat(np.array(expected, F32)[:, None], 32, axis=1))


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_a_branch_that_starts_a_sum_anew(machine):
    x, y = np.random.default_rng(4).standard_normal((6, 32)).astype(F32), np.zeros((3, 32), F32)
    report(scalars.restarted_sums, (1, ), array(x), array(y), 2, 6, asked={"machine": machine}, BLOCK=32)
    np.testing.assert_allclose(y, x.reshape(3, 2, 32).sum(axis=1), rtol=1e-5, atol=1e-6)
