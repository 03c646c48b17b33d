# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scalars from memory, of every type that memory holds, decide what a program does."""
import numpy as np
import pytest
from drawloom import array
from kernels import scalars
from kernels.line import F32, report


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_a_branch_on_a_scalar(dtype, machine):
    kind = np.array([7, 0, -1, 7, 3, -1, 0, 7, 7], dtype)
    x = np.random.default_rng(0).standard_normal((len(kind), 50)).astype(F32)
    y = np.full_like(x, np.nan)
    report(scalars.chosen_rows, (len(kind), ), array(kind), array(x), array(y), 50, asked={"machine": machine}, BLOCK=32)
    expected = np.where(kind[:, None] == -1, 0, np.where(kind[:, None] == 7, 2 * x, x))
    np.testing.assert_array_equal(y, expected)
