# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What becomes of the launches of the corpus."""
from pathlib import Path

import numpy as np
from drawloom.errors import CompileError
from kernels import corpus
from kernels.corpus.launch import Data, Launch, wide
from kernels.families import Outcome, place_and_reason
from kernels.line import report

SIZES = {"aligned": False, "ragged": True}
# How far a float may be from numpy's in fp64, as a share of the largest element: inputs and most results are bf16.
# Integers are equal.
TOLERANCE = 2**-7


def cases() -> list[tuple[str, str]]:
    """All (case, sizes)."""
    return [(name, sizes) for name in corpus.CASES for sizes in SIZES]


def launched(name, sizes, **asked) -> tuple[Launch, dict]:
    """One case's launch and the report of it under the options `asked`."""
    launch = corpus.CASES[name](Data(SIZES[sizes]))
    return launch, report(launch.kernel, launch.grid, *launch.arguments, asked=asked, **launch.constants)


def outcome(name, sizes, **asked) -> Outcome:
    """What becomes of one case's kernel. Its results are right if numpy says so, and the interpreter where asked."""
    kernel = corpus.CASES[name](Data(SIZES[sizes])).kernel.__name__
    try:
        launch, result = launched(name, sizes, **asked)
        return Outcome(kernel, "runs" if result.get("passed", True) and _is_expected(launch) else "wrong")
    except CompileError as error:
        place = place_and_reason(Path(corpus.__file__).parent / corpus.file_of(name), error.diagnostic)
    try:
        launched(name, sizes, command="interpret")
        return Outcome(kernel, "imports", *place)
    except CompileError:
        return Outcome(kernel, "refused", *place)


def _is_expected(launch) -> bool:
    """Every result near numpy's, and nothing stored elsewhere."""
    for array, expected in launch.expected:
        got = wide(array)
        if not np.array_equal(np.isnan(got), np.isnan(expected)):
            return False
        tolerance = 0 if np.asarray(array).dtype.kind == "i" else TOLERANCE
        if np.nanmax(abs(got - expected)) > tolerance * np.nanmax(abs(expected)):
            return False
    return True
