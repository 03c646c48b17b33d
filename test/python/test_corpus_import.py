# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that depend on data mean what numpy says: imported and interpreted."""
import numpy as np
import pytest
from drawloom import array
from drawloom.errors import CompileError
from kernels import data
from kernels.line import F32, checked, report
from triton.tools.tensor_descriptor import TensorDescriptor

I32 = np.int32


def interpreted(kernel, grid, *arguments, **constants):
    arguments = [array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    report(kernel, grid, *arguments, asked={"command": "interpret"}, **constants)


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(F32)


def same(got, expected):
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def test_lengths_from_memory():
    x, n, y = numbers(4, 100), np.array([100, 0, 7, 64], I32), np.full(4, -1, F32)
    interpreted(data.sum_of_lengths, (4, ), x, n, y, 100, BLOCK=32)
    same(y, [x[0].sum(), -1, x[2, :7].sum(), x[3, :64].sum()])


def test_pages_found_through_a_table():
    x, n = numbers(9, 16, 32), np.array([40, 16, 1], I32)
    table, y = np.array([[8, 1, 3], [2, 0, 0], [5, 0, 0]], I32), np.zeros((3, 32), F32)
    interpreted(data.sum_of_pages, (3, ), x, table, n, y, 3, PAGE=16, WIDTH=32)
    same(y, [x[table[i]].reshape(-1, 32)[:n[i]].sum(0) for i in range(3)])


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_rows_are_gathered(dtype):
    x, y = numbers(20, 50), np.zeros((37, 50), F32)
    ids = np.random.default_rng(1).integers(0, 48, 37).astype(dtype)
    interpreted(data.gather_rows, (2, ), x, ids, y, 37, 20, 50, EACH=2, BLOCK=32, WIDTH=64)
    same(y, [x[i // 2] if i < 40 else np.zeros(50) for i in ids])


def test_ids_may_be_clamped():
    x, y, ids = numbers(20, 32), np.zeros((64, 32), F32), np.arange(64, dtype=I32)
    interpreted(data.clamped_gather, (2, ), x, ids, y, 20, WIDTH=32, BLOCK=32)
    same(y, x[np.minimum(ids, 19)])


def test_rows_are_scattered():
    x, y = numbers(64, 32), np.full((70, 32), -1, F32)
    ids = np.random.default_rng(2).permutation(80)[:64].astype(I32)
    interpreted(data.scatter_rows, (2, ), x, ids, y, 70, WIDTH=32, BLOCK=32)
    expected = np.full((70, 32), -1.0)
    for row, i in enumerate(ids):
        if i < 70:
            expected[i] = 2 * x[row]
    same(y, expected)


def test_one_column_of_each_row():
    x, y = numbers(40, 100), np.zeros(40, F32)
    labels = np.random.default_rng(3).integers(0, 100, 40)
    interpreted(data.label_of_rows, (40, ), x, labels, y, 100)
    same(y, x[np.arange(40), labels])


@pytest.mark.parametrize("rows,programs", [(37, 8), (64, 8), (3, 8)])
def test_a_loop_over_rows(rows, programs):
    x, y = numbers(rows, 50), np.zeros((rows, 50), F32)
    interpreted(data.persistent_scale, (programs, ), x, y, rows, 50, 50, BLOCK=64)
    same(y, 2 * x)


@pytest.mark.parametrize("shape", [(200, 130, 70), (128, 128, 64)])
def test_a_loop_over_tiles_in_groups(shape):
    m, n, k = shape
    a, b, c = numbers(m, k), numbers(k, n, seed=1), np.zeros((m, n), F32)
    interpreted(data.persistent_product, (5, ), a, b, c, m, n, k, GROUP=2, BLOCK=32)
    np.testing.assert_allclose(c, a.astype(float) @ b, rtol=1e-4, atol=1e-4)


def test_blocks_of_rows_the_last_one_short():
    x, y = numbers(37, 64), np.zeros((5, 64), F32)
    interpreted(data.sums_of_blocks, (5, ), x, y, 37, 8, WIDTH=64)
    same(y, [x[i:i + 8].sum(0) for i in range(0, 37, 8)])


def test_programs_that_return_early():
    x, y = numbers(8, 32), np.zeros((8, 32), F32)
    interpreted(data.first_rows, (8, ), x, np.array([5], I32), y, BLOCK=32)
    same(y, np.where(np.arange(8)[:, None] < 5, x + 1, 0))


def test_branches_with_values():
    x, y = numbers(4, 32), np.zeros((4, 32), F32)
    interpreted(data.either_way, (4, ), x, y, BLOCK=32)
    same(y, np.where(np.arange(4)[:, None] < 2, 3 * x, np.exp(x)))


def test_updates_in_order():
    x, y = numbers(12, 50), numbers(50, seed=1)
    expected = y + x.sum(0)
    interpreted(data.add_columns, (12, ), x, y, 50, BLOCK=64)
    same(y, expected)


def test_the_greatest_of_all_programs():
    x, y = np.random.default_rng(4).integers(0, 1000, 128).astype(I32), np.array([-5], I32)
    interpreted(data.greatest, (4, ), x, y, BLOCK=32)
    assert y[0] == x.max()


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_extremes_of_floats(machine):
    x, low, high, lowest = numbers(12, 50), numbers(50, seed=1), numbers(50, seed=2), np.array([1e9], F32)
    high[:7] = -3  # programs on both sides of zero
    expected = np.minimum(low, x.min(axis=0)), np.maximum(high, x.max(axis=0)), [x.min()]
    checked(data.extremes, (12, ), array(x), array(low), array(high), array(lowest), 50, asked={"machine": machine}, BLOCK=64)
    for got, wanted in zip((low, high, lowest), expected):
        np.testing.assert_allclose(got, wanted, rtol=2**-10)


def test_the_value_an_update_finds_is_refused():
    for kernel in (data.old_value, data.old_extreme):
        with pytest.raises(CompileError, match="depends on the order in which programs run"):
            interpreted(kernel, (4, ), np.zeros(1, F32), np.zeros(4, F32))


def test_masks_that_are_no_conjunction():
    x, y = numbers(100), np.full(100, 7, F32)
    at = np.arange(100)
    interpreted(data.outside, (4, ), x, y, 20, 50, 90, BLOCK=32)
    same(y, np.where((at < 20) | ((at >= 50) & (at < 90)), x, 7))


def test_a_mask_that_data_decides():
    x, y = numbers(100), np.full(100, 7, F32)
    interpreted(data.positive_only, (4, ), x, y, 100, BLOCK=32)
    same(y, np.where(x > 0, x, 7))


def test_indices_as_data():
    y = np.zeros(100, F32)
    interpreted(data.positions, (4, ), y, 100, BLOCK=32)
    same(y, np.arange(100) * 0.5 + np.arange(100) // 32)


def test_digits_of_a_loop_variable():
    x, y = numbers(4, 4, 32), np.zeros(32, F32)
    interpreted(data.alternating, (1, ), x, y, 12, BLOCK=32)
    same(y, sum(x[i // 3, i % 3] * (1 if i % 2 == 0 else -2) for i in range(12)))


def test_several_returns():
    x, y = numbers(8, 32), np.zeros((8, 32), F32)
    interpreted(data.several_returns, (8, ), x, np.array([6], I32), y, BLOCK=32)
    same(y, [x[i] * 2 + 1 if i < 2 else x[i] if i < 6 and i != 3 else np.zeros(32) for i in range(8)])


def test_loops_that_start_at_their_program():
    x, y = numbers(37, 64), np.zeros((8, 64), F32)
    interpreted(data.strided_sums, (8, ), x, y, 37, WIDTH=64)
    same(y, [x[i::8].sum(0) for i in range(8)])


def test_packed_sequences():
    x, y, start = numbers(70, 32), np.zeros((4, 32), F32), np.array([0, 5, 40, 40, 70], I32)
    interpreted(data.packed_sequences, (4, ), x, start, y, BLOCK=16, WIDTH=32)
    same(y, [x[start[i]:start[i + 1]].sum(0) for i in range(4)])


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int32])
def test_masks_from_memory(dtype):
    x, y, keep = numbers(64), np.zeros(64, F32), np.random.default_rng(5).integers(0, 2, 64).astype(dtype)
    interpreted(data.kept, (2, ), x, keep, y, BLOCK=32)
    same(y, np.where(keep, x, -5))


def test_what_runs_is_not_decided_by_computed_data():
    with pytest.raises(CompileError, match="decided by the engines that move data"):
        interpreted(data.decided_by_sum, (1, ), numbers(32), np.zeros(32, F32), BLOCK=32)


def test_a_block_inside_a_larger_array():
    x, y = numbers(7, 20), np.full((12, 20), -1, F32)
    interpreted(data.inner_block, (1, ), x, y, 20, 7, 15, BLOCK=32)
    expected = np.full((12, 20), -1, F32)
    expected[2:9, 5:20] = x.reshape(-1)[:105].reshape(7, 15)
    same(y, expected)


@pytest.mark.parametrize("programs", [1, 3])
@pytest.mark.parametrize("columns", [64, 50])
def test_a_loop_over_ragged_tiles(programs, columns):
    x, y = numbers(37, columns), np.zeros((37, columns), F32)
    interpreted(data.tiles_in_turn, (programs, ), x, y, 37, columns, BLOCK=32)
    same(y, x + 1)


def test_descriptors_made_on_the_host():
    a, b, c = numbers(40, 48), numbers(48, 36, seed=1), np.zeros((40, 36), F32)
    described = [TensorDescriptor(array(x), list(x.shape), [x.shape[1], 1], [32, 32]) for x in (a, b, c)]
    checked(data.product_of_descriptors, (2, 2), *described, 48, BLOCK=32)
    np.testing.assert_allclose(c, a.astype(float) @ b, rtol=2**-7, atol=2**-5)
