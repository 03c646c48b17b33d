# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One launch of a kernel, its data, and what numpy says in fp64."""
import dataclasses
import math

import ml_dtypes
import numpy as np
from drawloom import Array, array

BF16, F32, I32, I64 = ml_dtypes.bfloat16, np.float32, np.int32, np.int64


@dataclasses.dataclass
class Launch:
    kernel: object
    grid: tuple
    arguments: tuple
    constants: dict
    expected: list  # of (array, its values in fp64; NaN where nothing is stored)


class Data:
    """Kernel arguments, the same ones at every run."""

    def __init__(self, ragged: bool):
        self.ragged = ragged
        self.random = np.random.default_rng(0)

    def sizes(self, aligned, ragged):
        return ragged if self.ragged else aligned

    def normal(self, *shape, dtype=BF16, scale=1.0) -> Array:
        return array(scale * self.random.standard_normal(shape), dtype)

    def integers(self, low, high, *shape, dtype=I32) -> Array:
        return array(self.random.integers(low, high, shape), dtype)


def empty(*shape, dtype=BF16) -> Array:
    """A result to be: NaN (-1 for integers) wherever no kernel stores."""
    return array(np.full(shape, -1 if np.dtype(dtype).kind == "i" else np.nan), dtype)


def numbers(values, dtype=I32) -> Array:
    return array(np.asarray(values), dtype)


def wide(values) -> np.ndarray:
    return np.asarray(values).astype(np.float64)


def blocks(size, block):
    return -(-size // block)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x**3)))


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


class Cases(dict):
    """The launches of a module by name: `case` of them makes one more of a function of `Data`."""

    def __call__(self, build):
        self[build.__name__] = build
        return build
