# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawloom: tile kernels on spatial dataflow accelerators.

Installing this package registers a Triton backend, so `kernel[grid](...)` runs
unchanged. Arguments are numpy arrays wrapped by `drawloom.array`, or CPU torch
tensors.
"""
from drawloom.arrays import Array, array
from drawloom.errors import CompileError, CompileWarning
from drawloom.options import has_values

__all__ = ["Array", "CompileError", "CompileWarning", "array", "has_values"]
