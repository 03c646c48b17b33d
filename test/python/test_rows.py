# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of one row a program: what they mean, and that rows share tiles."""
import re

import numpy as np
import pytest
from drawloom import array
from kernels import rows
from kernels.line import BF16, F32, checked, programs_text, report


def interpreted(kernel, grid, *arguments, **constants):
    report(kernel, grid, *arguments, asked={"command": "interpret"}, **constants)


def tile_text(kernel, grid, *arguments, **constants):
    return programs_text(kernel, grid, *arguments, to="tile", **constants)


def numbers(*shape, dtype=F32, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def softmax_of(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("count,columns,block,dtype", [(100, 50, 64, F32), (64, 128, 128, BF16), (7, 33, 64, F32)])
def test_softmax(count, columns, block, dtype):
    x, y = numbers(count, columns, dtype=dtype), np.zeros((count, columns), dtype)
    arguments = array(x), array(y), columns, columns
    assert f"tile.grid [{-(-count // 32)}]" in tile_text(rows.softmax, (count, ), *arguments, BLOCK=block)
    interpreted(rows.softmax, (count, ), *arguments, BLOCK=block)
    np.testing.assert_allclose(y.astype(float), softmax_of(x.astype(float)), rtol=1e-6 if dtype == F32 else 4e-3)


@pytest.mark.parametrize("columns", [32, 100, 130])
def test_softmax_in_two_passes(columns):
    x, y = numbers(40, columns), np.zeros((40, columns), F32)
    arguments = array(x), array(y), columns, columns
    assert "tile.grid [2]" in tile_text(rows.softmax_online, (40, ), *arguments, BLOCK=64)
    interpreted(rows.softmax_online, (40, ), *arguments, BLOCK=64)
    np.testing.assert_allclose(y, softmax_of(x.astype(float)), rtol=1e-6)


@pytest.mark.parametrize("columns", [50, 64, 200])
def test_layernorm(columns):
    x, weight, bias = numbers(70, columns), numbers(columns, seed=1), numbers(columns, seed=2)
    y, mean, rstd = np.zeros_like(x), np.zeros(70, F32), np.zeros(70, F32)
    arguments = array(x), array(y), array(weight), array(bias), array(mean), array(rstd), columns, 1e-5
    text = tile_text(rows.layernorm, (70, ), *arguments, BLOCK=64)
    assert "tile.grid [3]" in text
    # One block a row: it is loaded once, and no loop is left.
    assert (text.count("tile.load %x_ptr") == 1 and "scf.for" not in text) == (columns <= 64)
    interpreted(rows.layernorm, (70, ), *arguments, BLOCK=64)
    exact = x.astype(float)
    spread = 1 / np.sqrt(exact.var(axis=1) + 1e-5)
    np.testing.assert_allclose(mean, exact.mean(axis=1), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(rstd, spread, rtol=1e-6)
    expected = (exact - exact.mean(axis=1, keepdims=True)) * spread[:, None] * weight + bias
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-6)


def test_rows_numbered_by_batch_and_head():
    x, weight, y = numbers(3, 40, 24), numbers(40, seed=1), np.zeros((3, 40, 24), F32)
    arguments = array(x), array(weight), array(y), 40, 1e-6
    assert "tile.grid [3, 2]" in tile_text(rows.rmsnorm_heads, (120, ), *arguments, BLOCK=32, WIDTH=24)
    interpreted(rows.rmsnorm_heads, (120, ), *arguments, BLOCK=32, WIDTH=24)
    exact = x.astype(float)
    expected = exact / np.sqrt((exact**2).mean(axis=2, keepdims=True) + 1e-6) * weight[:, None]
    np.testing.assert_allclose(y, expected, rtol=1e-6)


def test_a_row_bounded_by_its_own_number():
    x, y = numbers(50, 50), np.zeros((50, 50), F32)
    arguments = array(x), array(y), 50
    interpreted(rows.causal_softmax, (50, ), *arguments, BLOCK=64)
    expected = softmax_of(np.where(np.tri(50, dtype=bool), x.astype(float), -np.inf))
    np.testing.assert_allclose(y, expected, rtol=1e-6)


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("count, columns, block, together", [(2048, 40, 64, True), (64, 1000, 1024, False),
                                                             (4, 20000, 32768, False)])
def test_rows_share_tiles_where_that_is_faster_and_fits(count, columns, block, together, machine):
    """Many short rows do; few long ones would leave cores idle, or not fit L1."""
    x, y = numbers(count, columns), np.zeros((count, columns), F32)
    arguments = array(x), array(y), columns, columns
    mapped = programs_text(rows.softmax, (count, ), *arguments, to="mapped", asked={"machine": machine}, BLOCK=block)
    points = re.search(r"tile\.grid \[(\d+)\]", mapped)[1]
    assert int(points) == (-(-count // 32) if together else count)
    checked(rows.softmax, (count, ), *arguments, asked={"machine": machine}, BLOCK=block)
    np.testing.assert_allclose(y, softmax_of(x.astype(float)), rtol=5e-3)
