# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs emitted from the examples' launches, and the vendor's runtime that runs them."""
import contextlib
import io
import runpy
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
from drawloom import launches
from kernels import families
from kernels.line import ROOT, asking

VENDOR = ROOT / "test/vendor"


def is_installed() -> bool:
    return (ROOT / ".venv-vendor/stamp").exists()


def emit(name, words, directory, command="emit", **asked) -> list[Path]:
    """Writes the program of each launch of an example, with the results of our simulator if `command` is "run"."""
    path, run, programs = families.EXAMPLES / f"{name}.py", launches.launch, []

    def launch(kernel, *arguments):
        programs.append(directory / f"{len(programs) + 1}-{kernel}")
        with asking(command=command, emit=str(programs[-1]), **asked):
            run(kernel, *arguments)

    launches.launch = launch
    try:
        with asking(command=command), families.arguments(path, words), contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(str(path), run_name="__main__")
    except SystemExit as done:
        assert not done.code, "the results are wrong"
    finally:
        launches.launch = run
    return programs


def run(program, arch, *arguments) -> tuple[int, str]:
    """Exit status and output of run.py on the vendor's runtime."""
    # Functions of the vector unit take the simulated chip a minute or more.
    command = [sys.executable, VENDOR / "run", program, "--arch", arch, "--timeout", "1800"]
    command += ["--", *arguments] if arguments else []
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def numbers(path) -> np.ndarray:
    values = np.load(path)
    return (values.view(ml_dtypes.bfloat16) if values.dtype == np.uint16 else values).astype(np.float64)
