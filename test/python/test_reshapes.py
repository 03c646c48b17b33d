# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles that are reduced over all axes, or used in two shapes."""
import numpy as np
import pytest
from drawloom import array
from kernels import reshapes
from kernels.line import BF16, F32, assert_near, checked, normal, wide


@pytest.fixture(params=["wormhole", "blackhole"])
def machine(request):
    return {"machine": request.param}


@pytest.mark.parametrize("columns, dtype", [(128, BF16), (100, F32)])
def test_an_extreme_of_a_matrix(machine, columns, dtype):
    x, block = normal(0, 128, columns, dtype=dtype), 64
    q, scale = np.zeros((128, columns), np.int8), np.zeros((2, 2), F32)
    checked(reshapes.quantize_blocks, (2, 2), x, array(q), array(scale), columns, BLOCK=block, asked=machine)
    blocks = np.pad(np.abs(wide(x)), ((0, 0), (0, 128 - columns))).reshape(2, block, 2, block)
    assert_near(scale, blocks.max(axis=(1, 3)) / 127)
    spread = np.repeat(np.repeat(scale, block, 0), block, 1)[:, :columns]
    assert np.abs(q * spread - wide(x)).max() <= 0.51 * scale.max()


@pytest.mark.parametrize("n, block, group", [(2048, 1024, 64), (320, 256, 16)])
def test_a_vector_in_groups(machine, n, block, group):
    x, q, scale = normal(1, n, dtype=F32), np.zeros(n, np.int8), np.zeros(n // group, F32)
    checked(reshapes.quantize_groups, (-(-n // block), ), x, array(q), array(scale), n, BLOCK=block, GROUP=group,
            asked=machine)
    assert_near(scale, np.abs(wide(x)).reshape(-1, group).max(axis=1) / 127)
    assert np.abs(q * np.repeat(scale, group) - wide(x)).max() <= 0.51 * scale.max()


def test_the_place_of_an_extreme_of_a_matrix(machine):
    x, place = normal(2, 16, 64, dtype=F32), np.zeros(1, np.int32)
    checked(reshapes.largest_of_all, (1, ), x, array(place), ROWS=16, COLUMNS=64, asked=machine)
    assert place[0] == np.argmax(x)


@pytest.mark.parametrize("rows, scale", [(128, 0.5), (100, -1.0)])
def test_bounds_by_a_minimum_and_a_float_that_is_passed(machine, rows, scale):
    x, sums = normal(3, rows, 40, dtype=F32), np.zeros(2, F32)
    checked(reshapes.chunk_sums, (2, ), x, array(sums), rows, 40, scale, CHUNK=64, WIDTH=64, asked=machine)
    factor = scale if scale > 0 else 1
    assert_near(sums, factor * np.array([wide(x)[:64].sum(), wide(x)[64:].sum()]))


@pytest.mark.parametrize("rows, columns", [(64, 128), (50, 192)])
def test_programs_that_share_a_scale(machine, rows, columns):
    x, scale, y = normal(4, rows, columns, dtype=F32), normal(5, 2, columns // 64, dtype=F32), np.zeros((rows, columns), F32)
    checked(reshapes.grouped_scales, (2 * columns // 32, ), x, scale, array(y), rows, columns, GROUP=64, ROWS=32,
            COLUMNS=32, asked=machine)
    block = np.arange(rows) // 32
    counts = np.minimum(32, rows - 32 * block)
    assert_near(y, wide(x) * np.repeat(wide(scale)[block], 64, axis=1) / counts[:, None])


def test_a_sum_over_three_axes(machine):
    x, sums = normal(6, 2, 4, 8, 16, dtype=F32), np.zeros(2, F32)
    checked(reshapes.sums_of_three_axes, (2, ), x, array(sums), A=4, B=8, C=16, asked=machine)
    assert_near(sums, wide(x).sum(axis=(1, 2, 3)))
