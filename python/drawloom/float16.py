# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of float16, which the compiled module takes as float32: the host converts."""
import contextlib
import ctypes

import numpy as np


@contextlib.contextmanager
def as_float32(arguments: list[tuple]):
    """Yields the arguments (see `arguments.py`) with every object of float16 in a
    float32 copy; elements that a launch inside changes are rounded and written
    back. Views of one object share a copy."""
    pointers = [argument for argument in arguments if _is_half(argument[1])]
    copies = [_Copy(low, high) for low, high in _merged([argument[3:5] for argument in pointers])]
    yield [_moved(argument, copies) if _is_half(argument[1]) else argument for argument in arguments]
    for copy in copies:
        copy.write_back()


def _is_half(kind: str) -> bool:
    return kind == "*fp16" or kind.startswith("tensordesc<fp16[")


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges of bytes, those that share some made one."""
    merged = []
    for low, high in sorted(ranges):
        if merged and low < merged[-1][1]:
            low, high = merged[-1][0], max(high, merged.pop()[1])
        merged.append((low, high))
    return merged


class _Copy:
    """float16 between two addresses, and the same numbers as float32."""

    def __init__(self, low: int, high: int):
        self.low, self.high = low, high
        memory = (ctypes.c_char * (high - low)).from_address(low)
        self.halves = np.frombuffer(memory, np.float16)
        self.before = self.halves.astype(np.float32)
        self.floats = self.before.copy()

    def address(self, of: int) -> int:
        return self.floats.ctypes.data + 2 * (of - self.low)

    def write_back(self):
        changed = self.floats.view(np.int32) != self.before.view(np.int32)
        with np.errstate(over="ignore"):  # to infinity, as on a GPU
            self.halves[changed] = self.floats[changed].astype(np.float16)


def _moved(argument: tuple, copies: list[_Copy]) -> tuple:
    name, kind, address, low, high, *rest = argument
    (copy, ) = [copy for copy in copies if copy.low <= low and high <= copy.high][:1]
    return name, kind.replace("fp16", "fp32"), copy.address(address), copy.address(low), copy.address(high), *rest
