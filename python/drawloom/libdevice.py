# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The libdevice functions kernels call.

A GPU's libdevice is a library of device code. Here a name is Triton's own
function, a call that the import knows by its mathematics, or is made of those.
"""
import triton
from triton.language import core, math

# What Triton has itself, so that every element type works as it does there.
abs = math.abs
ceil = math.ceil
cos = fast_cosf = math.cos
div_rn = fast_dividef = math.div_rn
erf = math.erf
exp = fast_expf = math.exp
exp2 = math.exp2
floor = math.floor
fma = fma_rn = math.fma
log = fast_logf = math.log
log2 = fast_log2f = math.log2
mulhi = math.umulhi
rsqrt = rsqrt_rn = math.rsqrt
sin = fast_sinf = math.sin
sqrt = math.sqrt
sqrt_rn = math.sqrt_rn


def _call(symbol, arguments, semantic):
    """A call of fp32 values, known to the import by its symbol."""
    types = (core.float32, ) * len(arguments)
    return core.extern_elementwise("", "", arguments, {types: (symbol, core.float32)}, is_pure=True, _semantic=semantic)


@core.extern
def tanh(x, _semantic=None):
    return _call("tanh", [x], _semantic)


@core.extern
def pow(x, y, _semantic=None):
    return _call("pow", [x, y], _semantic)


fast_tanhf, fast_powf = tanh, pow


@triton.jit
def rcp_rn(x):
    return 1.0 / x


@triton.jit
def saturatef(x):
    return core.clamp(x, 0.0, 1.0)


@triton.jit
def trunc(x):
    return triton.language.where(x < 0, math.ceil(x), math.floor(x))


@triton.jit
def exp10(x):
    return math.exp2(x * 3.321928094887362)


@triton.jit
def log10(x):
    return math.log2(x) * 0.3010299956639812


@triton.jit
def tan(x):
    return math.sin(x) / math.cos(x)


@triton.jit
def erfc(x):
    return 1.0 - math.erf(x)


@triton.jit
def isnan(x):
    return x != x


fast_exp10f, fast_log10f, fast_tanf = exp10, log10, tan


def __getattr__(name):
    raise AttributeError(f"Drawloom has no libdevice.{name}; write it with tl's own functions")
