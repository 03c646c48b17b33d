# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small part of triton.language in numpy, in fp64: runs a kernel's own text."""
import ml_dtypes
import numpy as np

constexpr = None
float32 = np.float64
bfloat16 = ml_dtypes.bfloat16


class Lanes(np.ndarray):
    """An array that knows `to`."""

    def to(self, dtype):
        return lanes(self.astype(dtype).astype(np.float64))


def lanes(value):
    return np.asarray(value, dtype=np.float64 if np.asarray(value).dtype.kind == "f" else None).view(Lanes)


class Pointer:

    def __init__(self, array, offset=0):
        self.array, self.offset = array, offset

    def __add__(self, offset):
        return Pointer(self.array, self.offset + offset)


_program, _grid = (0, 0, 0), (1, 1, 1)


def run(kernel, grid, *arguments, **constants):
    """The kernel for each program of the grid; arrays become pointers."""
    global _program, _grid
    given = [Pointer(a.reshape(-1)) if isinstance(a, np.ndarray) else a for a in arguments]
    _grid = grid + (1, ) * (3 - len(grid))
    for _program in np.ndindex(*_grid):
        kernel(*given, **constants)


def program_id(axis):
    return _program[axis]


def num_programs(axis):
    return _grid[axis]


def cdiv(a, b):
    return -(-a // b)


def load(pointer, mask=True, other=0.0):
    place, inside = np.broadcast_arrays(pointer.offset, mask)
    found = pointer.array[np.where(inside, place, 0)]
    return lanes(np.where(inside, found, np.asarray(other, found.dtype)))


def store(pointer, value, mask=True):
    place, inside, value = np.broadcast_arrays(pointer.offset, mask, value)
    pointer.array[place[inside]] = value[inside]


def updating(function):
    def update(pointer, value, mask=True, sem=None):
        place, inside, value = np.broadcast_arrays(pointer.offset, mask, value)
        function.at(pointer.array, place[inside], value[inside])

    return update


atomic_add, atomic_max, atomic_min = map(updating, (np.add, np.fmax, np.fmin))


def arange(first, last):
    return np.arange(first, last)


def zeros(shape, dtype):
    return lanes(np.zeros(shape))


def full(shape, value, dtype):
    return lanes(np.full(shape, value))


def dot(a, b, acc=0.0):
    return lanes(a @ b + acc)


def sum(x, axis):
    return lanes(np.sum(x, axis))


def max(x, axis):
    return lanes(np.max(x, axis))


def min(x, axis):
    return lanes(np.min(x, axis))


def argmax(x, axis):
    return lanes(np.argmax(x, axis))


def argmin(x, axis):
    return lanes(np.argmin(x, axis))


def cumsum(x, axis, reverse=False):
    return lanes(np.flip(np.cumsum(np.flip(x, axis), axis), axis) if reverse else np.cumsum(x, axis))


def associative_scan(x, axis, combine, reverse=False):
    """Of one tensor or a tuple of them, lane by lane."""
    many = x if isinstance(x, tuple) else (x, )
    parts = [np.moveaxis(part, axis, 0) for part in many]
    order = range(len(parts[0]))
    found, state = [None] * len(parts[0]), None
    for i in reversed(order) if reverse else order:
        here = tuple(part[i] for part in parts)
        if state is not None:
            here = combine(*state, *here)
            here = here if isinstance(here, tuple) else (here, )
        found[i] = state = here
    results = tuple(lanes(np.moveaxis(np.stack(part), 0, axis)) for part in zip(*found))
    return results if isinstance(x, tuple) else results[0]


def reshape(x, *shape):
    return lanes(np.reshape(x, shape[0] if isinstance(shape[0], tuple) else shape))


def permute(x, order):
    return lanes(np.transpose(x, order))


def split(x):
    return lanes(x[..., 0]), lanes(x[..., 1])


def join(a, b):
    return lanes(np.stack([a, b], -1))


def rsqrt(x):
    return 1 / np.sqrt(x)


exp, exp2, log, sqrt, sin, cos, abs = np.exp, np.exp2, np.log, np.sqrt, np.sin, np.cos, np.abs
maximum, minimum, trans = np.maximum, np.minimum, np.transpose


def where(condition, a, b):
    return lanes(np.where(condition, a, b))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
