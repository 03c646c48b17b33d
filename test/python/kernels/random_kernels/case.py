# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as text and its launch, for Triton and for numpy."""
import atexit
import dataclasses
import functools
import importlib.util
import re
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np
from kernels import numpy_tl

F32, BF16 = np.dtype(np.float32), np.dtype(ml_dtypes.bfloat16)


@dataclasses.dataclass
class Case:
    text: str  # of the function `kernel` and of those it calls
    grid: tuple
    arrays: list  # inputs, then outputs of NaN
    outputs: int
    scalars: list
    constants: dict

    def expected(self):
        """The outputs as numpy computes them from the same text, in fp64."""
        arrays = [a if a.dtype.kind == "i" else a.astype(np.float64) for a in self.arrays]
        arrays = [a.copy() for a in arrays]
        scope = {"tl": numpy_tl}
        exec(self.text, scope)
        with np.errstate(all="ignore"):
            numpy_tl.run(scope["kernel"], self.grid, *arrays, *self.scalars, **self.constants)
        return arrays[-self.outputs:]

    @functools.cached_property
    def kernel(self):
        """The kernel as Triton sees it, from a file of its own."""
        with tempfile.NamedTemporaryFile("w", dir=_directory(), suffix=".py", delete=False) as file:
            functions = re.sub("^def ", "@triton.jit\ndef ", self.text, flags=re.MULTILINE)
            file.write("import triton\nimport triton.language as tl\n\n\n" + functions)
        spec = importlib.util.spec_from_file_location(Path(file.name).stem, file.name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.kernel


@functools.cache
def _directory() -> str:
    directory = tempfile.TemporaryDirectory(prefix="kernels-")
    atexit.register(directory.cleanup)
    return directory.name


def numbers(rng):
    """A source of random numbers of its own."""
    return np.random.default_rng(rng.randrange(1 << 30))


def inputs(rng, dtype, *shapes):
    """Normal values; of few different ones now and then, so that extremes have equals, but no means."""
    values, few = numbers(rng), rng.random() < 0.15
    return [(np.sin(np.round(2 * array)) if few else array).astype(dtype)
            for array in (values.standard_normal(shape) for shape in shapes)]


def blank(dtype, *shapes):
    """Outputs to be: what no program stores stays NaN."""
    return [np.full(shape, np.nan, dtype) for shape in shapes]


@dataclasses.dataclass
class Matrix:
    """Where the elements of a matrix lie in memory: behind an offset, rows apart by a stride, columns by a step."""
    offset: int
    stride: int
    step: int
    size: int

    def at(self, row, column):
        """The offset of an element as text; neither index may bind less than a product."""
        parts = [f"{row} * {self.stride}", f"{column} * ({self.step})" if self.step != 1 else column]
        return " + ".join([str(self.offset)] * (self.offset > 0) + parts)


def matrix(rng, rows, columns) -> Matrix:
    """A matrix row by row, padded, behind an offset, column by column, with gaps or from right to left."""
    offset = rng.choice([0, 0, 0, 32, 7, columns])
    kind = rng.choice(["dense", "dense", "padded", "padded", "transposed", "spread", "reversed"])
    stride, step = {
        "dense": (columns, 1),
        "padded": (columns + rng.choice([1, 3, 28, 32]), 1),
        "transposed": (1, rows + rng.choice([0, 0, 5])),
        "spread": (2 * columns, 2),
        "reversed": (columns, -1),
    }[kind]
    if step < 0:
        offset += columns - 1
    return Matrix(offset, stride, step, offset + (rows - 1) * stride + max(columns - 1, 0) * max(step, 0) + 1)


def inside(rng, index, extent, axis=""):
    """A mask along one axis as text, with a lower bound now and then; `axis` is like "[:, None]"."""
    within = f"{index}{axis} < {extent}"
    if rng.random() < 0.25:
        return f"({index}{axis} >= {rng.choice([1, 3, 8, 33])}) & ({within})"
    return within
