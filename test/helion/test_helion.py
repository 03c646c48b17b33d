# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helion kernels, called as on a GPU, run on the simulated machine and agree with torch in fp64."""
import drawloom
import kernels
import pytest
import torch

dtypes = pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=["bf16", "f32"])
ragged = pytest.mark.parametrize("rows", [64, 50], ids=["aligned", "ragged"])


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def assert_near(result, expected, roundings=1):
    """Within the rounding of the type, of the largest element."""
    error = (result.double() - expected).abs().max() / expected.abs().max()
    assert error <= roundings * 2**-7, f"largest error {error:.2e} of the largest element"


@dtypes
@ragged
def test_matmul(dtype, rows):
    x, y = torch.randn(rows, 64).to(dtype), torch.randn(64, 80).to(dtype)
    assert_near(kernels.matmul(x, y), x.double() @ y.double())


@dtypes
@ragged
def test_softmax(dtype, rows):
    x = torch.randn(rows, 100).to(dtype)
    assert_near(kernels.softmax(x), torch.softmax(x.double(), dim=1))


@dtypes
@ragged
def test_rms_norm(dtype, rows):
    x, weight = torch.randn(rows, 100).to(dtype), torch.randn(100).to(dtype)
    wide = x.double()
    expected = wide / (wide.square().mean(dim=1, keepdim=True) + 1e-6).sqrt() * weight.double()
    assert_near(kernels.rms_norm(x, weight, 1e-6), expected)


@dtypes
@ragged
@pytest.mark.parametrize("kernel", [kernels.attention, kernels.batched_attention], ids=["attention", "batched"])
def test_attention(kernel, dtype, rows):
    q, k, v = (torch.randn(2, rows, 64).to(dtype) for _ in range(3))
    scores = q.double() @ k.double().transpose(1, 2) / 8
    assert_near(kernel(q, k, v), torch.softmax(scores, dim=2) @ v.double(), 2)


@dtypes
def test_chunk_scan(dtype):
    c, b = (torch.randn(3, 64, 64).to(dtype) / 8 for _ in range(2))
    x, starts = torch.randn(3, 64, 64).to(dtype), torch.randn(3, 64, 64).to(dtype)
    steps = torch.rand(3, 64) / 5
    decay = torch.cumsum(-steps, dim=1)
    share = c.double() @ b.double().transpose(1, 2) * torch.exp(decay[:, :, None] - decay[:, None, :]).double()
    share = torch.tril(share * steps[:, None, :].double())
    expected = share @ x.double() + c.double() @ starts.double() * decay.double().exp()[:, :, None]
    assert_near(kernels.chunk_scan(c, b, x, decay, steps, starts), expected, 2)


def test_a_refusal_names_helions_kernel():
    """What Drawloom refuses of the Triton code that Helion writes is an exception like any other."""
    x = torch.randn(64, 64, dtype=torch.float64)
    with pytest.raises(drawloom.CompileError, match="f64"):
        kernels.softmax(x)
