# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels through the whole line, emitted, and run by the vendor's
runtime. Its values must be those of our simulator: bit for bit, or within a bound
after functions of the vector unit, which each computes in its own way."""
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
DRAWLOOM = ROOT / ".venv/bin/drawloom"
SCRIPT = ROOT / "test/python/kernels/small_blocks.py"
EXAMPLES = ROOT / "examples/triton"

if not (ROOT / ".venv-vendor/stamp").exists():
    pytest.skip("the vendor's runtime is not installed (test/vendor/setup)", allow_module_level=True)

BOTH = pytest.mark.parametrize("arch", ["wormhole", "blackhole"])

# Ragged in every dimension; the cores of a row and of a column share operands.
CASES = {
    "matmul": ["matmul", "40", "50", "70"],
    "add": ["add", "1500"],
    "multiply": ["multiply", "1500"],
}


def emit(source, arch, directory, *words, arguments=()):
    command = [DRAWLOOM, "run", source, "--machine", arch, "--check", "--emit", directory, *words]
    done = subprocess.run([*command, *(["--", *arguments] if arguments else [])], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert list((directory / "expected").glob("*.npy"))


def run(program, arch, *arguments):
    # Functions of the vector unit take the simulated chip a minute or more.
    command = [sys.executable, ROOT / "test/vendor/run", program, "--arch", arch, "--timeout", "1200"]
    done = subprocess.run([*command, *(["--", *arguments] if arguments else [])], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@BOTH
@pytest.mark.parametrize("name", CASES)
def test_equals_our_simulator(name, arch, tmp_path):
    program = tmp_path / "program"
    emit(SCRIPT, arch, program, "--grid", "2x2", arguments=CASES[name])
    status, text = run(program, arch)
    assert status == 0, text


@BOTH
def test_rounds_like_our_simulator(arch, tmp_path):
    """Values that fill their formats: what reductions and mixed formats cut and round."""
    text = (ROOT / "test/Target/Inputs/precision.mlir").read_text().replace('"wormhole"', f'"{arch}"')
    source, program = tmp_path / "precision.mlir", tmp_path / "program"
    source.write_text(text)
    command = [DRAWLOOM, "run", source, "--machine", arch, "--emit", program]
    subprocess.run(command, check=True, capture_output=True)
    status, text = run(program, arch)
    assert status == 0, text


# Examples at sizes of a few tiles, and by how much results may differ: in steps of
# bf16 of the value, and of the largest value.
EXAMPLE_CASES = {
    "softmax": ["--rows", "32", "--columns", "64"],
    "layernorm": ["--rows", "32", "--columns", "64"],
    "rmsnorm": ["--rows", "7", "--columns", "40"],
}


def numbers(path):
    values = np.load(path)
    return (values.view(ml_dtypes.bfloat16) if values.dtype == np.uint16 else values).astype(np.float64)


@BOTH
@pytest.mark.parametrize("name", EXAMPLE_CASES)
def test_examples_come_near_our_simulator(name, arch, tmp_path):
    program = tmp_path / "program"
    emit(EXAMPLES / f"{name}.py", arch, program, arguments=EXAMPLE_CASES[name])
    status, text = run(program, arch, "--repeat", "1")
    assert "DIFFERENT" not in text and "second launch" in text, text
    for path in (program / "outputs").glob("*.npy"):
        found, expected = numbers(path), numbers(program / "expected" / path.name)
        largest = np.abs(expected).max()
        np.testing.assert_allclose(found, expected, rtol=2**-7, atol=largest * 2**-9, err_msg=path.name)
