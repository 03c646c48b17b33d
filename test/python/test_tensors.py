# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on CPU tensors: a stand-in everywhere, torch's own where it is installed."""
import importlib.util

import ml_dtypes
import numpy as np
import pytest
import triton
from kernels import elementwise, products
from kernels.line import assert_near
from kernels.tensors import tensor
from triton.tools.tensor_descriptor import TensorDescriptor

RANDOM = np.random.default_rng(0)


def stand_in(values):
    return tensor(values, np.float32)


def stand_in_bf16(values):
    return tensor(values, ml_dtypes.bfloat16)


def torch_tensor(values):
    import torch
    return torch.from_numpy(values.astype(np.float32))


def torch_bf16(values):
    import torch
    return torch.from_numpy(values.astype(np.float32)).to(torch.bfloat16)


def numbers(made):
    """The values of a tensor as fp64."""
    return np.asarray((made if not hasattr(made, "float") else made.float()).numpy()).astype(np.float64)


needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
makers = pytest.mark.parametrize("make", [
    stand_in, stand_in_bf16, pytest.param(torch_tensor, marks=needs_torch), pytest.param(torch_bf16, marks=needs_torch)
])


@makers
def test_a_kernel_on_tensors(make):
    x, y, z = make(RANDOM.standard_normal(3000)), make(RANDOM.standard_normal(3000)), make(np.zeros(3000))
    elementwise.add[(3, )](x, y, z, x.numel(), BLOCK=1024)
    assert_near(numbers(z), numbers(x) + numbers(y), 2**-7)


@makers
def test_strides_and_views(make):
    """A transposed operand, and a result that is a window of a larger tensor."""
    a, b = make(RANDOM.standard_normal((64, 96))), make(RANDOM.standard_normal((80, 64))).t()
    whole = make(np.zeros((96, 200)))
    a, c = a.t(), whole[:, 60:140]
    assert not a.is_contiguous() and not c.is_contiguous()
    (M, K), N = a.shape, b.shape[1]
    products.product[(triton.cdiv(M, 32), triton.cdiv(N, 32))](a, b, c, M, N, K, *a.stride(), *b.stride(), *c.stride(),
                                                               BM=32, BN=32, BK=32)
    assert_near(numbers(c), numbers(a) @ numbers(b))
    assert not numbers(whole)[:, :60].any() and not numbers(whole)[:, 140:].any()


@makers
def test_the_autotuner_restores_tensors(make):
    configs = [triton.Config({"BLOCK": block}) for block in (512, 1024)]
    kernel = triton.autotune(configs, key=["n"], restore_value=["x_ptr"])(elementwise.accumulate_in_place)
    x, y = make(RANDOM.standard_normal(2000)), make(RANDOM.standard_normal(2000))
    before = numbers(x).copy()
    kernel[lambda meta: (triton.cdiv(2000, meta["BLOCK"]), )](x, y, 2000)
    assert_near(numbers(x), before + numbers(y), 2**-7)


@makers
def test_a_reinterpreted_tensor(make):
    import triton.language as tl
    x = make(RANDOM.standard_normal(2000))
    before = numbers(x)
    bits = {4: tl.float32, 2: tl.bfloat16}[x.element_size()]
    y = triton.reinterpret(x, bits)
    elementwise.add[(2, )](y, y, y, 2000, BLOCK=1024)
    assert_near(numbers(x), 2 * before, 2**-7)


@needs_torch
def test_a_descriptor_of_a_tensor():
    x = torch_bf16(RANDOM.standard_normal((64, 64)))
    assert TensorDescriptor.from_tensor(x, [32, 32]).base.data_ptr() == x.data_ptr()
