# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The libdevice functions kernels call, written with Triton's own operations.

A GPU's libdevice is a library of device code; here each name is a function that
traces to the same arithmetic the compiler plans for any other kernel.
"""
import triton
import triton.language as tl


@triton.jit
def exp(x):
    return tl.exp(x)


@triton.jit
def exp2(x):
    return tl.exp2(x)


@triton.jit
def log(x):
    return tl.log(x)


@triton.jit
def log2(x):
    return tl.log2(x)


@triton.jit
def sqrt(x):
    return tl.sqrt(x)


@triton.jit
def rsqrt(x):
    return tl.rsqrt(x)


@triton.jit
def erf(x):
    return tl.erf(x)


@triton.jit
def abs(x):
    return tl.abs(x)


@triton.jit
def tanh(x):
    # 2 sigmoid(2x) - 1, which neither overflows nor cancels for large |x|.
    return 2 * tl.sigmoid(2 * x) - 1
