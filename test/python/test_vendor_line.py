# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels through the whole line, emitted, and run by the vendor's
runtime. Its values must be those of our simulator: bit for bit, or within a bound
after functions of the vector unit, which each computes in its own way."""
import subprocess

import numpy as np
import pytest
from kernels import emitted
from kernels.line import ROOT

DRAWLOOM = ROOT / ".venv/bin/drawloom"
SCRIPT = ROOT / "test/python/kernels/small_blocks.py"

if not emitted.is_installed():
    pytest.skip("the vendor's runtime is not installed (test/vendor/setup)", allow_module_level=True)

BOTH = pytest.mark.parametrize("arch", ["wormhole", "blackhole"])

# Ragged in every dimension; the cores of a row and of a column share operands.
CASES = {
    "matmul": ["matmul", "40", "50", "70"],
    "add": ["add", "1500"],
    "multiply": ["multiply", "1500"],
}


def emit(source, arch, directory, *words):
    command = [DRAWLOOM, "run", source, "--machine", arch, "--check", "--emit", directory, "--grid", "2x2", "--", *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert list((directory / "expected").glob("*.npy"))


@BOTH
@pytest.mark.parametrize("name", CASES)
def test_equals_our_simulator(name, arch, tmp_path):
    program = tmp_path / "program"
    emit(SCRIPT, arch, program, *CASES[name])
    status, text = emitted.run(program, arch)
    assert status == 0, text


@BOTH
def test_rounds_like_our_simulator(arch, tmp_path):
    """Values that fill their formats: what reductions and mixed formats cut and round."""
    text = (ROOT / "test/Target/Inputs/precision.mlir").read_text().replace('"wormhole"', f'"{arch}"')
    source, program = tmp_path / "precision.mlir", tmp_path / "program"
    source.write_text(text)
    command = [DRAWLOOM, "run", source, "--machine", arch, "--emit", program]
    subprocess.run(command, check=True, capture_output=True)
    status, text = emitted.run(program, arch)
    assert status == 0, text


# Examples at sizes of a few tiles, and which of their kernels: each takes the longer the more the vector unit does.
EXAMPLES = {
    "softmax": ("softmax", "--rows 32 --columns 64", 0),
    "layernorm": ("layernorm", "--rows 32 --columns 64", 0),
    "rmsnorm": ("rmsnorm", "--rows 7 --columns 40", 0),
    "mlp": ("mlp", "--rows 32 --inputs 32 --hidden 32 --outputs 32", 0),
    "causal-attention": ("attention", "--positions 32 --heads 1 --head-dim 32 --causal", 0),
    "product-with-bias": ("matmul_epilogue", "--m 32 --n 40 --k 32", 0),
    "decode": ("decode", "--batch 1 --heads 2 --kv-heads 1 --positions 40 --head-dim 32 --splits 2", 0),
    "decode-join": ("decode", "--batch 1 --heads 2 --kv-heads 1 --positions 40 --head-dim 32 --splits 2", 1),
    "cumsum": ("cumsum", "--rows 32 --columns 128 --block 64", 0),
    "argmax": ("reductions", "--rows 32 --columns 32 --operation argmax --axis 0", 0),
    "embedding": ("embedding", "--tokens 8 --columns 40 --vocabulary 50", 0),
    "transpose": ("transpose", "--rows 40 --columns 50", 0),
    "chunk-scan": ("ssd", "--length 32 --heads 1 --head-dim 32 --state 32", 3),
}
# The rest is `-m slow`, in minutes each.
QUICK = {("softmax", "wormhole", "bf16"), ("rmsnorm", "blackhole", "bf16"), ("mlp", "wormhole", "bf16"),
         ("causal-attention", "blackhole", "bf16"), ("decode", "wormhole", "bf16")}
RUNS = [pytest.param(name, arch, dtype, marks=() if (name, arch, dtype) in QUICK else pytest.mark.slow)
        for name in EXAMPLES for dtype in ("bf16", "f32") for arch in ("wormhole", "blackhole")]


# How far results may be from our simulator's, of themselves and of the largest. What rounds the other way after a
# function of the vector unit is a step of bf16 off, or of TF32, in which the matrix unit reads f32; the second term
# is for values that cancel.
BOUNDS = {"bf16": (2**-7, 2**-9), "f32": (2**-10, 2**-12)}


@pytest.mark.parametrize("name, arch, dtype", RUNS)
def test_examples_come_near_our_simulator(name, arch, dtype, tmp_path):
    """The first launch, which finds nothing that an earlier one left, and a second on other data, which finds that."""
    example, words, at = EXAMPLES[name]
    first, second = (emitted.emit(example, f"{words} --dtype {dtype} --seed {seed}", tmp_path / str(seed), "run",
                                  machine=arch, grid="1x1")[at] for seed in (0, 1))
    assert (first / "kernels/compute.cpp").read_text() == (second / "kernels/compute.cpp").read_text()
    _, text = emitted.run(first, arch, "--fresh", str(second))
    assert "fresh data" in text, text
    for program in (first, second):
        for path in (program / "outputs").glob("*.npy"):
            found, expected = emitted.numbers(path), emitted.numbers(program / "expected" / path.name)
            of_itself, of_largest = BOUNDS[dtype]
            bound = of_largest * np.nanmax(np.abs(expected))
            np.testing.assert_allclose(found, expected, rtol=of_itself, atol=bound, err_msg=str(path))
