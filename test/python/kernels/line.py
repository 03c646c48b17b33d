# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The whole line as users meet it: launches in this process, and the command."""
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np
from drawloom import array, launches
from drawloom.options import options

ROOT = Path(__file__).resolve().parents[3]
COMMAND = Path(sys.executable).parent / "drawloom"
BF16, F32 = np.dtype(ml_dtypes.bfloat16), np.dtype(np.float32)
# Signs of a compiler that broke instead of refusing.
CRASHES = ("Traceback", "PLEASE submit", "Assertion", "Stack dump", "Segmentation", "terminate called")


@contextlib.contextmanager
def asking(**given):
    """The options of the command line, for the launches inside."""
    before = os.environ.get("DRAWLOOM_OPTIONS")
    os.environ["DRAWLOOM_OPTIONS"] = json.dumps({"command": "run"} | given)
    options.cache_clear()
    try:
        yield
    finally:
        os.environ.pop("DRAWLOOM_OPTIONS")
        if before is not None:
            os.environ["DRAWLOOM_OPTIONS"] = before
        options.cache_clear()


def report(kernel, grid, *arguments, asked=None, **constants) -> dict:
    """The one report of a launch under the options `asked`."""
    with asking(**(asked or {})):
        reports = launches.record()
        kernel[grid](*arguments, **constants)
    (only, ) = reports
    return only


def checked(kernel, grid, *arguments, asked=None, **constants) -> dict:
    """A launch compared with the interpreter, element by element."""
    result = report(kernel, grid, *arguments, asked={"check": True} | (asked or {}), **constants)
    assert result["check"], "nothing was compared"
    for comparison in result["check"]:
        assert comparison["compared"] > 0 and comparison["beyond"] == 0, comparison
    return result


def programs_text(kernel, grid, *arguments, to, asked=None, **constants) -> str:
    """The program of a launch at a state of the line."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "program.mlir"
        report(kernel, grid, *arguments, asked=(asked or {}) | {"command": "compile", "to": to, "output": str(path)},
               **constants)
        return path.read_text()


def command(*words, directory=None) -> subprocess.CompletedProcess:
    """`drawloom words...` as a process of its own."""
    return subprocess.run([COMMAND, *map(str, words)], check=False, capture_output=True, text=True, errors="replace", cwd=directory,
                          timeout=120)


def succeeds(*words, directory=None) -> str:
    """Standard output of a command that must work."""
    done = command(*words, directory=directory)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def normal(seed, *shape, dtype=BF16):
    """An array of standard normal values."""
    return array(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def zeros(*shape, dtype=BF16):
    return array(np.zeros(shape, dtype))


def wide(values):
    """The values as a plain fp64 array."""
    return np.asarray(values).astype(np.float64)


def assert_near(values, expected, relative=1e-2):
    """Within `relative` of the largest expected element."""
    error = np.abs(wide(values) - expected).max()
    assert error <= relative * max(np.abs(expected).max(), 1e-30), f"largest error {error}"
