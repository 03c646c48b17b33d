# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels through the whole line: interpreter and simulator against numpy, the simulator against the
interpreter, where the lowering takes the kernel.

    python test/python/fuzz_kernels.py --seconds 3600

A case that is wrong is printed with its text; its family and seed name it. Each case runs in a process of its own,
so that a compiler that breaks or hangs is a finding, too.
"""
import argparse
import collections
import contextlib
import io
import itertools
import multiprocessing
import os
import re
import resource
import time

import numpy as np
from drawloom import CompileError, array, launches
from kernels.line import report
from kernels.random_kernels import BF16, FAMILIES, random_case

MACHINES = ("wormhole", "blackhole")
# No kernel may take longer from TTIR to its result, here beside the interpreter's; and where it hangs. Of
# processors, as others may use them, too.
LIMIT_SECONDS, HANGS_SECONDS = 3.0, 60
# How far a result may be from numpy's, as a share of the largest element, and how many elements may be farther: a
# machine's rounding may decide a comparison otherwise.
NEAR, FARTHER = 0.03, 0.02


class Wrong(Exception):
    """A result that is not what numpy computes, or not in time."""


def launch(case, asked):
    """Runs the case; its outputs and report."""
    arrays = [a.copy() for a in case.arrays]
    result = report(case.kernel, case.grid, *map(array, arrays), *case.scalars, asked=asked, **case.constants)
    return arrays[-case.outputs:], result


def check_meaning(case):
    """What the interpreter computes is what numpy does, where programs store and where they do not."""
    outputs, _ = launch(case, {"command": "interpret"})
    for output, expected in zip(outputs, case.expected()):
        coarse = output.dtype == BF16
        largest = max(1.0, np.nanmax(np.abs(expected), initial=0))
        output = output.astype(np.float64)
        if not np.allclose(output, expected, rtol=2**-7 if coarse else 1e-4, atol=(2**-7 if coarse else 1e-5) * largest,
                           equal_nan=True):
            raise Wrong(f"interpreter: {np.nanmax(np.abs(output - expected), initial=0)}, "
                        f"{(np.isnan(output) != np.isnan(expected)).sum()} elements stored or not")


def check_machine(case, machine) -> str | None:
    """The simulator agrees with numpy and with the interpreter; else why the kernel is refused."""
    start = time.process_time()
    try:
        outputs, result = launch(case, {"check": True, "machine": machine})
    except CompileError as error:
        if "waits for ever" in str(error):
            raise Wrong(f"{machine}: {error}") from None
        return str(error)
    for comparison in result["check"]:
        if comparison["beyond"]:
            raise Wrong(f"{machine}: {comparison}")
    for output, expected in zip(outputs, case.expected()):
        largest = max(0.3, np.nanmax(np.abs(expected), initial=0))  # sums may cancel
        differs = ~np.isclose(output.astype(np.float64), expected, rtol=NEAR, atol=NEAR * largest, equal_nan=True)
        if differs.mean() > FARTHER:
            raise Wrong(f"{machine}: {differs.sum()} of {differs.size} elements far from numpy's")
    if (taken := time.process_time() - start) > LIMIT_SECONDS:
        raise Wrong(f"{machine}: took {taken:.1f} s: {result['seconds']}")
    return None


def check(case, machines, told):
    """Sends why it is refused, if it is, by the import or by each machine; or what is wrong as text."""
    resource.setrlimit(resource.RLIMIT_CPU, (HANGS_SECONDS, HANGS_SECONDS))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                check_meaning(case)
            except CompileError as error:
                return told.send([str(error)])
            told.send([check_machine(case, machine) for machine in machines])
    except Wrong as error:
        told.send(str(error))


def fate(case, machines):
    """What `check` sends, or how its process ended."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=check, args=(case, machines, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        process.join()
        return f"the process ended with {process.exitcode}"
    finally:
        process.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="where to begin")
    parser.add_argument("--machine", choices=MACHINES, help="one machine; both if left out")
    parser.add_argument("--family", choices=FAMILIES, help="one family; all if left out")
    parser.add_argument("--show", action="store_true", help="print the kernel of --family and --seed, and what it does")
    options = parser.parse_args()
    os.environ["TRITON_DEFAULT_BACKEND"] = "drawloom"
    machines = (options.machine, ) if options.machine else MACHINES
    families = (options.family, ) if options.family else tuple(FAMILIES)
    if options.show:
        case = random_case(options.family, options.seed)
        print(f"{case.text}\ngrid {case.grid}, {case.scalars}, {case.constants}, "
              f"{[(a.dtype.name, a.shape) for a in case.arrays]}\n{fate(case, machines)}")
        return
    launches._native()  # once, not in every process
    end, counts = time.monotonic() + options.seconds, collections.Counter()
    reasons = collections.defaultdict(list)
    for seed, family in ((s, f) for s in itertools.count(options.seed) for f in families):
        if time.monotonic() > end:
            break
        case = random_case(family, seed)
        counts["cases"] += 1
        found = fate(case, machines)
        if isinstance(found, str):
            counts["wrong"] += 1
            print(f"== {family} {seed}: {found}\n{case.text}", flush=True)
            continue
        for refused in filter(None, found):
            counts["refused"] += 1
            reason = re.sub(r"\d+", "N", refused.split("error: ")[-1].splitlines()[0])
            reasons[f"{family}: {reason}"].append(seed)
    print(f"seeds {options.seed} to {seed}: {dict(counts)}")
    for reason, seeds in reasons.items():
        print(f"{len(seeds):5} {reason} (seed {seeds[0]})")
    raise SystemExit(counts["wrong"] > 0)


if __name__ == "__main__":
    main()
