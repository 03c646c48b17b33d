# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launching a traced kernel through the compiled module, and keeping its results."""
import collections
import contextlib
import importlib
import json

from drawloom.errors import CompileError, launch_site, warn
from drawloom.float16 import as_float32
from drawloom.options import options, shows_reports
from drawloom.stopwatch import stopwatch

# What is asked of a launch that only serves to measure, whatever the command.
MEASURE = {"command": "run", "timing_only": True, "check": False, "emit": ""}

# The results of this process's launches, while a script is recorded.
_recorded: list[dict] | None = None
# The simulated times (us) of launches under `measuring`, else None.
_measured: list[float] | None = None
# How many launches were emitted to each directory.
_emitted: collections.Counter = collections.Counter()


def record() -> list[dict]:
    """Starts keeping the result of every launch; they appear in the returned list."""
    global _recorded
    _recorded = []
    return _recorded


@contextlib.contextmanager
def measuring():
    """Launches inside touch no array, print nothing and are not recorded: their
    times (us) appear in the list this yields. For the autotuner."""
    global _measured
    outer, _measured = _measured, []
    try:
        yield _measured
    finally:
        _measured = outer


def launch(kernel: str, ttir: str, grid: tuple[int, int, int], arguments: list[tuple]) -> None:
    """Runs one launch as the options say. Raises CompileError with the kernel's
    lines where the kernel is refused."""
    if stopwatch.skips_launches():
        return
    asked = _with_own_directory(kernel, options()) if _measured is None else options() | MEASURE
    native = _native()
    try:
        with as_float32(arguments) as held:
            result = json.loads(native.launch(kernel, ttir, grid, held, json.dumps(asked)))
    except native.CompileError as error:
        raise CompileError(f"{error}\n{launch_site()}".replace("\n\n", "\n")) from None
    report, told = result.pop("report", ""), result.pop("diagnostics", "")
    # Where a command simulates nothing, the estimate is the time to tell.
    stopwatch.add(result.get("simulated_us", result.get("estimate_us", 0.0)))
    if _measured is not None:
        _measured.append(result["simulated_us"])
        return
    if _recorded is not None:
        _recorded.append(result)
    if not shows_reports():
        warn(told)
    elif report:
        print(told + report, flush=True)


def _with_own_directory(kernel: str, asked: dict) -> dict:
    """Options that emit the first launch to the directory asked for, each later one to one inside of it."""
    directory = asked.get("emit")
    if not directory:
        return asked
    _emitted[directory] += 1
    place = _emitted[directory]
    return asked if place == 1 else asked | {"emit": f"{directory}/{place}-{kernel}"}


def _native():
    """The compiled module, loaded at the first launch: tracing needs none."""
    try:
        return importlib.import_module("drawloom._native")
    except ImportError as error:
        raise RuntimeError(f"Drawloom's compiled module cannot be loaded ({error}); build it with `make build`") from None
