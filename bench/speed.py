#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast the compiler and its simulator are, and how fast the simulated chips.

Runs the user's command on examples/triton/matmul.py and prints medians over
several runs: the wall time of the whole process, where it went, and what the
simulated machine reached. Ratios are against the targets of docs/design.md.

    .venv/bin/python bench/speed.py [--runs N]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DRAWLOOM = ROOT / ".venv/bin/drawloom"
MATMUL = ROOT / "examples/triton/matmul.py"

# What to run: name, options, M = N = K, and the seconds it may take.
CASES = [
    ("values 1024^3, wormhole", ["--machine", "wormhole"], 1024, 5.0),
    ("values 1024^3, blackhole", ["--machine", "blackhole"], 1024, 5.0),
    ("timing only 4096^3, wormhole", ["--machine", "wormhole", "--timing-only"], 4096, 3.0),
    ("timing only 4096^3, blackhole", ["--machine", "blackhole", "--timing-only"], 4096, 3.0),
]


def run_once(options, size):
    """One process: its wall seconds and the report of its launch."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [DRAWLOOM, "run", MATMUL, *options, "--json", report, "--"]
        for name in "mnk":
            command += [f"--{name}", str(size)]
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        return seconds, json.loads(report.read_text())["launches"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs

    print(f"{'case':32} {'wall s':>7} {'allowed':>8} {'import':>7} {'plan':>7} {'lower':>7} "
          f"{'simulate':>9} {'us':>9} {'TFLOP/s':>8}")
    for name, options, size, allowed in CASES:
        run_once(options, size)  # warms caches
        results = [run_once(options, size) for _ in range(runs)]
        wall = statistics.median(seconds for seconds, _ in results)
        launch = results[0][1]
        parts = {
            part: statistics.median(report["seconds"][part] for _, report in results)
            for part in ("import", "plan", "lower", "simulate")
        }
        rate = launch["flops"] / launch["simulated_us"] / 1e6
        print(f"{name:32} {wall:7.2f} {wall / allowed:7.0%} " + " ".join(
            f"{seconds:{9 if part == 'simulate' else 7}.3f}" for part, seconds in parts.items()) +
              f" {launch['simulated_us']:9.1f} {rate:8.2f}")


if __name__ == "__main__":
    main()
