# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels through the whole line: the interpreter against numpy, the
simulator against the interpreter where the lowering takes the kernel.

    python test/python/fuzz_kernels.py --seconds 3600
"""
import argparse
import collections
import itertools
import time

import numpy as np
from drawloom import CompileError, array
from kernels.line import report
from kernels.random_kernels import FAMILIES, random_case


def launch(case, asked):
    """Runs the case; its outputs and report."""
    arrays = [a.copy() for a in case.arrays]
    result = report(case.kernel(), case.grid, *map(array, arrays), *case.scalars, asked=asked, **case.constants)
    return arrays[-case.outputs:], result


def check_meaning(case):
    """What the interpreter computes is what numpy does."""
    outputs, _ = launch(case, {"command": "interpret"})
    for output, expected in zip(outputs, case.expected()):
        bound = 1e-5 * max(1.0, np.nanmax(np.abs(expected)))
        assert np.allclose(output, expected, rtol=1e-4, atol=bound), np.nanmax(np.abs(output - expected))


def check_machine(case, machine) -> str | None:
    """The simulator agrees with the interpreter; else why the kernel is refused."""
    try:
        _, result = launch(case, {"check": True, "machine": machine})
    except CompileError as error:
        return str(error)
    for comparison in result["check"]:
        assert comparison["beyond"] == 0, comparison
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="where to begin")
    parser.add_argument("--machine", default="wormhole")
    parser.add_argument("--meaning-only", action="store_true", help="leave the simulator out")
    options = parser.parse_args()
    end, counts, reasons = time.monotonic() + options.seconds, collections.Counter(), collections.Counter()
    for seed, family in ((seed, family) for seed in itertools.count(options.seed) for family in FAMILIES):
        if time.monotonic() > end:
            break
        case = random_case(family, seed)
        counts["cases"] += 1
        try:
            check_meaning(case)
            refused = None if options.meaning_only else check_machine(case, options.machine)
        except (AssertionError, CompileError) as error:
            counts["wrong"] += 1
            print(f"== {family} {seed}: {error}\n{case.text}", flush=True)
            continue
        if refused:
            counts["refused"] += 1
            reasons[refused.splitlines()[0].split("error: ")[-1]] += 1
    print(dict(counts))
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    raise SystemExit(counts["wrong"] > 0)


if __name__ == "__main__":
    main()
