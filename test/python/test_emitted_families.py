# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example is emitted, and its kernels compile against the vendor's headers and fit into a core.

What has compiled once is not compiled again (test/vendor/compile): the first run takes minutes, later ones what
emitting takes.
"""
import contextlib
import io
import runpy
import subprocess
import sys

import pytest
from drawloom import launches
from kernels import families
from kernels.line import ROOT, asking

if not (ROOT / ".venv-vendor/stamp").exists():
    pytest.skip("the vendor's headers are not installed (test/vendor/setup)", allow_module_level=True)

# Every row of the table on one chip and in one type; aligned and ragged sizes take turns.
HALVES = {"wormhole": (0, "bf16"), "blackhole": (1, "f32")}


def cases(machine):
    half, dtype = HALVES[machine]
    rows = [(name, words) for name, words in families.cases() if name in families.ONE_TYPE or words.endswith(dtype)]
    return [row for row in rows if row[0] in families.ONE_TYPE] + [row for i, row in enumerate(rows) if i % 2 == half]


def emit(name, words, machine, directory):
    """Writes the program of every launch of an example."""
    path, run, count = families.EXAMPLES / f"{name}.py", launches.launch, 0

    def launch(kernel, *arguments):
        nonlocal count
        count += 1
        with asking(command="emit", machine=machine, emit=str(directory / f"{count}-{kernel}")):
            run(kernel, *arguments)

    launches.launch = launch
    try:
        # So that the example skips its checks.
        with asking(command="emit"), families.arguments(path, words), contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(str(path), run_name="__main__")
    except SystemExit as done:
        assert not done.code
    finally:
        launches.launch = run


@pytest.mark.parametrize("machine", HALVES)
def test_every_kernel_compiles_and_fits(machine, tmp_path):
    for i, (name, words) in enumerate(cases(machine)):
        emit(name, words, machine, tmp_path / f"{i}-{name}")
    programs = [path.parent for path in sorted(tmp_path.glob("*/*/program.json"))]
    assert len(programs) > 40
    command = [sys.executable, ROOT / "test/vendor/compile", *programs, "--arch", machine]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
