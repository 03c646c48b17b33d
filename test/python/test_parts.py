# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Halves of products, as epilogues take them, are whole tiles of the product."""
import numpy as np
import pytest
from drawloom import array
from kernels import parts
from kernels.line import BF16, F32, assert_near, checked, normal, programs_text, wide, zeros


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("m,n,k,block", [(128, 128, 96, 64), (70, 100, 40, 64), (64, 64, 32, 32)])
def test_an_epilogue_in_two_parts(machine, rows, m, n, k, block):
    a, b, bias, c = normal(0, m, k), normal(1, k, n), normal(2, n), zeros(m, n)
    arguments, grid = (a, b, bias, c, m, n, k), (-(-m // block), -(-n // block))
    checked(parts.subtiled, grid, *arguments, BM=block, BN=block, BK=32, ROWS=rows, asked={"machine": machine})
    assert_near(c, wide(a) @ wide(b) + wide(bias))


def test_parts_that_lie_side_by_side_are_stored_at_once():
    arguments = normal(0, 128, 64), normal(1, 64, 128), normal(2, 128), zeros(128, 128), 128, 128, 64
    text = programs_text(parts.subtiled, (2, 2), *arguments, to="tile", BM=64, BN=64, BK=32, ROWS=False)
    assert text.count("tile.store") == 1 and "tensor.extract_slice" not in text


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("rows", [False, True])
def test_halves_that_meet(machine, rows):
    m, n, k = 64, 128, 64
    a, b = normal(0, m, k), normal(1, k, n)
    c = np.zeros((m // 2, n) if rows else (m, n // 2), F32)
    checked(parts.gated_halves, (1, ), a, b, array(c), k, M=m, N=n, BK=32, ROWS=rows, asked={"machine": machine})
    total = wide(a) @ wide(b)
    gate, value = np.split(total, 2, axis=0 if rows else 1)
    assert_near(c, gate / (1 + np.exp(-gate)) * value / (value * value).sum(1, keepdims=True))
