# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels through the whole line, emitted, and run by the vendor's
runtime: its values must be those of our simulator, bit for bit."""
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DRAWLOOM = ROOT / ".venv/bin/drawloom"
SCRIPT = ROOT / "test/python/kernels/small_blocks.py"

if not (ROOT / ".venv-vendor/stamp").exists():
    pytest.skip("the vendor's runtime is not installed (test/vendor/setup)", allow_module_level=True)

# Ragged in every dimension; the cores of a row and of a column share operands.
CASES = {
    "matmul": ["matmul", "40", "50", "70"],
    "add": ["add", "1500"],
    "multiply": ["multiply", "1500"],
}


@pytest.mark.parametrize("arch", ["wormhole", "blackhole"])
@pytest.mark.parametrize("name", CASES)
def test_equals_our_simulator(name, arch, tmp_path):
    program = tmp_path / "program"
    ours = subprocess.run(
        [DRAWLOOM, "run", SCRIPT, "--machine", arch, "--grid", "2x2", "--check", "--emit", program,
         "--", *CASES[name]], capture_output=True, text=True)
    assert ours.returncode == 0, ours.stdout + ours.stderr
    assert list((program / "expected").glob("*.npy"))
    theirs = subprocess.run([sys.executable, ROOT / "test/vendor/run", program, "--arch", arch],
                            capture_output=True, text=True)
    assert theirs.returncode == 0, theirs.stdout + theirs.stderr
