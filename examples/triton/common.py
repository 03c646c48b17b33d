# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the examples share: their command line, their data, the comparison with numpy."""
import argparse

import drawloom
import ml_dtypes
import numpy as np

TYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32}
# How far a result may be from numpy's in fp64, as a share of the largest element: the rounding of bf16, and
# for f32 that of the matrix unit, which reads 10 bits after the point.
TOLERANCES = {"bf16": 2**-7, "f32": 2**-8}


def arguments(description, **options):
    """The command line: one option for each keyword, and --dtype and --seed. A number is a default, False
    a switch, a list the choices, the default first."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, list):
            parser.add_argument(flag, choices=value, default=value[0])
        elif isinstance(value, bool):
            parser.add_argument(flag, action="store_true")
        else:
            parser.add_argument(flag, type=type(value), default=value)
    parser.add_argument("--dtype", choices=TYPES, default="bf16")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


class Data:
    """Kernel arguments of the type that was asked for."""

    def __init__(self, args):
        self.dtype = TYPES[args.dtype]
        self.random = np.random.default_rng(args.seed)

    def normal(self, *shape, dtype=None, scale=1.0):
        """Normal values around 0."""
        return drawloom.array(scale * self.random.standard_normal(shape), dtype or self.dtype)

    def uniform(self, low, high, *shape, dtype=None):
        return drawloom.array(self.random.uniform(low, high, shape), dtype or self.dtype)

    def integers(self, low, high, *shape, dtype=np.int32):
        """Integers in [low, high)."""
        return drawloom.array(self.random.integers(low, high, shape), dtype)

    def empty(self, *shape, dtype=None):
        """A result to be: NaN (-1 for integers) wherever no kernel stores."""
        kind = np.dtype(dtype or self.dtype)
        return drawloom.array(np.full(shape, -1 if kind.kind == "i" else np.nan, kind))


def wide(values):
    """The values as a plain fp64 array, for the reference."""
    return np.asarray(values).astype(np.float64)


def check(args, roundings=1, **results):
    """Compares each (result, expectation) and prints its largest error. Returns the exit code: 1 if one is
    beyond its tolerance, which grows with how often a kernel rounds to the type on the way. Where a launch
    stores nothing (drawloom plan, emit) there is nothing to compare."""
    if not drawloom.has_values():
        return 0
    tolerance = roundings * TOLERANCES[args.dtype]
    return int(not all([_near(tolerance, name, *pair) for name, pair in results.items()]))


def _near(tolerance, name, result, expected):
    if result.dtype.kind == "i":
        wrong = int((result != expected).sum())
        print(f"{name}: largest error: {wrong} of {result.size} integers differ")
        return wrong == 0
    error = np.abs(wide(result) - expected).max() / max(np.abs(expected).max(), 1e-30)
    print(f"{name}: largest error {error:.2e} of the largest element")
    return bool(error <= tolerance)  # NaN is beyond
