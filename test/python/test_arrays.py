# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""drawloom.array: numpy memory as pointers, and views of it."""
import types

import drawloom
import ml_dtypes
import numpy as np
import pytest
from drawloom.arrays import memory_of
from triton._utils import canonicalize_ptr_dtype


@pytest.mark.parametrize("dtype, pointer", [
    (ml_dtypes.bfloat16, "*bf16"), (np.float16, "*fp16"), (np.float32, "*fp32"), (np.float64, "*fp64"),
    (np.int8, "*i8"), (np.int32, "*i32"), (np.int64, "*i64"), (np.uint8, "*u8"), (np.bool_, "*u1"),
])
def test_triton_knows_the_element_type(dtype, pointer):
    assert canonicalize_ptr_dtype(drawloom.array(np.zeros(4), dtype).dtype, False) == pointer


def test_wrapping_shares_memory():
    plain = np.zeros((4, 8), np.float32)
    wrapped = drawloom.array(plain)
    wrapped[1, 2] = 3
    assert plain[1, 2] == 3
    assert wrapped.data_ptr() == plain.ctypes.data


def test_conversion_copies():
    plain = np.ones(4, np.float64)
    drawloom.array(plain, np.float32)[0] = 5
    assert plain[0] == 1


def test_lists_and_scalars_become_arrays():
    assert drawloom.array([1, 2, 3], np.int32).stride() == (1, )
    assert drawloom.array(2.0).shape == ()


def test_views_stay_arguments_at_their_own_address():
    a = drawloom.array(np.zeros((4, 8), np.float32))
    assert a[1:, 2:].data_ptr() == a.data_ptr() + (8 + 2) * 4
    assert a.T.stride() == (1, 8)
    assert a.reshape(2, 16).stride(0) == 16
    assert a.element_size() == 4 and a.numel() == 32
    assert a.is_contiguous() and not a.T.is_contiguous()


def test_a_full_reduction_is_a_number():
    a = drawloom.array(np.ones((2, 3), np.float32))
    assert type(a.sum()) is np.float32 and type(np.abs(a).max()) is np.float32
    assert isinstance(a.sum(axis=0), drawloom.Array)


def test_memory_is_what_the_elements_span():
    a = drawloom.array(np.zeros((4, 8), np.float32))
    start = a.data_ptr()
    assert memory_of(a) == (start, start, start + 128, True)
    assert memory_of(a[1:3, 2:4]) == (start + 40, start + 40, start + 80, True)
    # A reversed view points at its last byte run and reaches down.
    assert memory_of(a[::-1]) == (start + 96, start, start + 128, True)


def tensor(shape, stride, device="cpu"):
    """What a torch tensor of fp32 at address 1024 looks like from outside."""
    return types.SimpleNamespace(shape=shape, stride=lambda: stride, element_size=lambda: 4, data_ptr=lambda: 1024,
                                 device=types.SimpleNamespace(type=device))


def test_memory_of_a_tensor():
    assert memory_of(tensor((4, 8), (8, 1))) == (1024, 1024, 1024 + 128, True)
    assert memory_of(tensor((4, 2), (8, 1))) == (1024, 1024, 1024 + (24 + 1 + 1) * 4, True)
    assert memory_of(tensor((0, 8), (8, 1))) == (1024, 1024, 1024, True)


def test_memory_elsewhere_is_refused():
    with pytest.raises(TypeError, match="move it to the CPU"):
        memory_of(tensor((4, ), (1, ), device="cuda"))
    with pytest.raises(TypeError, match="does not say how much memory"):
        memory_of(types.SimpleNamespace(data_ptr=lambda: 1024))


@pytest.mark.parametrize("values", [np.zeros(4, np.complex64), np.zeros(4, ">f4"), ["a"], [None]])
def test_other_element_types_are_refused(values):
    with pytest.raises(TypeError, match="no kernel argument has elements of type"):
        drawloom.array(values)
