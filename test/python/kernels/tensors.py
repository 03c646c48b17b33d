# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for torch: what Drawloom and Triton see of a CPU tensor, over numpy."""
import functools
import types

import numpy as np


@functools.cache  # one object for each, as torch has: Triton knows a type again by its address
class DType:
    """torch.float32 and its like, whose names are what Triton reads."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"torch.{self.name}"


class Tensor:
    """A strided view of numpy memory with torch's methods."""
    device = types.SimpleNamespace(type="cpu", index=None)
    requires_grad = False

    def __init__(self, values):
        self._values = values
        self.dtype = DType(values.dtype.name)
        self.shape = values.shape

    @property
    def data(self):
        return self  # torch: the tensor without its history

    def numpy(self):
        return self._values

    def data_ptr(self):
        return self._values.ctypes.data

    def element_size(self):
        return self._values.itemsize

    def stride(self, dim=None):
        steps = tuple(step // self._values.itemsize for step in self._values.strides)
        return steps if dim is None else steps[dim]

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def numel(self):
        return self._values.size

    def dim(self):
        return self._values.ndim

    def is_contiguous(self):
        return self._values.flags.c_contiguous

    def t(self):
        return Tensor(self._values.T)

    def __getitem__(self, index):
        return Tensor(self._values[index])

    # What the autotuner calls.
    def zero_(self):
        self._values[...] = 0

    def clone(self):
        return Tensor(self._values.copy())

    def copy_(self, other):
        self._values[...] = other._values


def tensor(values, dtype=np.float32) -> Tensor:
    return Tensor(np.array(values, dtype))
