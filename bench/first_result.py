#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long the kernels of each example and of the tests' corpus take from TTIR to their simulated results, at the
sizes of the tests.

Starting the process and Triton's tracing are told apart: they are not ours. The
slowest launch of each example is shown; a launch may take 2 s.

    .venv/bin/python bench/first_result.py [--machine NAME] [--runs N]
"""

import argparse
import contextlib
import functools
import io
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "python"))

from drawloom import launches  # noqa: E402: found by the environment
from kernels import families  # noqa: E402: found by the line above
from kernels.corpus import outcomes  # noqa: E402

ALLOWED = 2.0
PARTS = ("import", "plan", "lower", "simulate")


def start_seconds(runs):
    """A process that has loaded Triton and the compiler, and does nothing."""
    words = [sys.executable, "-c", "import triton, drawloom; from drawloom import launches; launches._native()"]
    return statistics.median(timed(lambda: subprocess.run(words, check=True)) for _ in range(runs))


def timed(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def cases():
    """All (name, what runs it on a machine)."""
    for name, words in families.cases():
        yield f"{name} {words}", functools.partial(families.outcomes, name, words)
    for name, sizes in outcomes.cases():
        yield f"{name}, {sizes}", functools.partial(outcomes.outcome, name, sizes)


def run(case, machine):
    """A case once: the seconds of the rest of it, and (seconds, report) of each launch."""
    taken = []
    launch = launches.launch

    def measured(*arguments):
        taken.append(timed(lambda: launch(*arguments)))

    launches.launch = measured
    reports = []
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            recorded = launches.record

            def record():
                reports.append(recorded())
                return reports[-1]

            launches.record = record
            whole = timed(lambda: case(machine=machine))
    finally:
        launches.launch, launches.record = launch, recorded
    return whole - sum(taken), list(zip(taken, reports[0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machine", default="wormhole")
    parser.add_argument("--runs", type=int, default=1)
    options = parser.parse_args()

    print(f"starting a process: {start_seconds(3):.2f} s; each launch may take {ALLOWED:.1f} s on {options.machine}\n")
    print(f"{'example':78} {'tracing':>8} {'launch':>7} " + " ".join(f"{part:>8}" for part in PARTS))
    slowest = 0.0
    for name, case in cases():
        results = [run(case, options.machine) for _ in range(options.runs)]
        # What stands in a process before its first launch is not the kernel's.
        rest, ran = min(results, key=lambda result: sum(seconds for seconds, _ in result[1]))
        if not ran:
            continue
        seconds, report = max(ran, key=lambda one: one[0])
        slowest = max(slowest, seconds)
        parts = " ".join(f"{report['seconds'].get(part, 0.0):8.3f}" for part in PARTS)
        print(f"{name:78} {rest:8.2f} {seconds:7.3f} {parts}" + " slow" * (seconds > ALLOWED), flush=True)
    print(f"\nslowest launch: {slowest:.2f} s of the {ALLOWED:.1f} s it may take")
    return int(slowest > ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
