# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads behind stores of one program see what was stored, or are refused."""
import drawloom
import numpy as np
import pytest
from kernels import in_place
from kernels.line import BF16, F32, checked, normal, wide, zeros


@pytest.mark.parametrize("dtype", [BF16, F32], ids=str)
@pytest.mark.parametrize("width", [16, 32])
def test_what_was_stored_is_loaded_again(width, dtype):
    y = normal(1, 64, 2 * width, dtype=dtype)
    first = wide(y)[:, :width]
    checked(in_place.add_halves, (2, ), y, 2 * width, W=width)
    assert np.array_equal(wide(y), np.hstack([2 * first, first]))


@pytest.mark.parametrize("kernel", [in_place.number_written, in_place.look_up_written])
def test_numbers_that_the_program_writes(kernel):
    numbers = drawloom.array(np.arange(32, dtype=np.int32))
    with pytest.raises(drawloom.CompileError, match="that the program also writes"):
        checked(kernel, (1, ), numbers, normal(1, 64, dtype=F32), zeros(32, dtype=F32), B=32)
