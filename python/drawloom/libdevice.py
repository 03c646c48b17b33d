# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The libdevice functions kernels call.

A GPU's libdevice is a library of device code. Here a name is Triton's own
function, a call that the import knows by its mathematics, or is made of those.
"""
import triton
from triton.language import core, math
from triton.language import where

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


@triton.jit
def rcp_rn(x):
    return 1.0 / x


@triton.jit
def saturatef(x):
    return core.clamp(x, 0.0, 1.0)


@triton.jit
def trunc(x):
    return where(x < 0, math.ceil(x), math.floor(x))


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


@triton.jit
def isinf(x):
    return math.abs(x) == float("inf")


@triton.jit
def finitef(x):
    return math.abs(x) < float("inf")


@triton.jit
def copysign(x, y):
    """The sign of a zero counts as positive."""
    size = math.abs(x)
    return where(y < 0, -size, size)


@triton.jit
def round(x):
    """Halves away from zero."""
    return copysign(math.floor(math.abs(x) + 0.5), x)


@triton.jit
def rint(x):
    """Halves to the even neighbour."""
    up = math.floor(x + 0.5)
    odd = math.floor(up * 0.5) * 2.0 != up
    return where((up - x == 0.5) & odd, up - 1.0, up)


@triton.jit
def fmod(x, y):
    return x - trunc(x / y) * y


@triton.jit
def fdim(x, y):
    return where(x > y, x - y, 0.0)


@triton.jit
def hypot(x, y):
    return math.sqrt(x * x + y * y)


@triton.jit
def rhypot(x, y):
    return math.rsqrt(x * x + y * y)


@triton.jit
def cbrt(x):
    return copysign(math.exp2(math.log2(math.abs(x)) * 0.3333333333333333), x)


@triton.jit
def pow(x, y):
    """As C has it: a negative base needs a whole exponent."""
    y = where(x == x, y, y)  # a tensor also where it is a number
    size = math.exp2(y * math.log2(math.abs(x)))
    odd = math.floor(y * 0.5) * 2.0 != y
    negative = where(math.floor(y) == y, where(odd, -size, size), float("nan"))
    return where(y == 0, 1.0, where(x < 0, negative, size))


@triton.jit
def log1p(x):
    """What 1 + x loses of a small x is made good by the quotient."""
    sum = 1.0 + x
    kept = sum - 1.0
    return where(kept == 0, x, math.log(sum) * (x / kept))


@triton.jit
def expm1(x):
    power = math.exp(x)
    kept = power - 1.0
    exact = kept * (x / math.log(power))
    return where(kept == 0, x, where((kept == -1.0) | (power == float("inf")), kept, exact))


@triton.jit
def sinh(x):
    grown = expm1(math.abs(x))
    return copysign(0.5 * (grown + grown / (grown + 1.0)), x)


@triton.jit
def cosh(x):
    return 0.5 * (math.exp(x) + math.exp(-x))


@triton.jit
def asinh(x):
    size = math.abs(x)
    return copysign(log1p(size + size * size / (1.0 + math.sqrt(size * size + 1.0))), x)


@triton.jit
def acosh(x):
    return math.log(x + math.sqrt(x * x - 1.0))


@triton.jit
def atanh(x):
    return 0.5 * log1p(2.0 * x / (1.0 - x))


@triton.jit
def atan(x):
    """Abramowitz and Stegun 4.4.49: off by at most 2e-8 up to 1; beyond that of the inverse."""
    size = math.abs(x)
    near = where(size > 1.0, 1.0 / size, size)
    square = near * near
    series = 0.0028662257 * square - 0.0161657367
    series = series * square + 0.0429096138
    series = series * square - 0.0752896400
    series = series * square + 0.1065626393
    series = series * square - 0.1420889944
    series = series * square + 0.1999355085
    series = series * square - 0.3333314528
    angle = near + near * square * series
    return copysign(where(size > 1.0, 1.5707963267948966 - angle, angle), x)


@triton.jit
def atan2(y, x):
    angle = atan(math.abs(y) / math.abs(x))
    angle = where(math.abs(x) + math.abs(y) == 0, 0.0, angle)
    return copysign(where(x < 0, 3.141592653589793 - angle, angle), y)


@triton.jit
def asin(x):
    return atan(x * math.rsqrt((1.0 - x) * (1.0 + x)))


@triton.jit
def acos(x):
    return 1.5707963267948966 - asin(x)


@triton.jit
def normcdf(x):
    return 0.5 * (1.0 + math.erf(x * 0.7071067811865476))


nearbyint = rint
fast_exp10f, fast_log10f, fast_tanf, fast_powf = exp10, log10, tan, pow
fast_tanhf = tanh


def __getattr__(name):
    raise AttributeError(f"Drawloom has no libdevice.{name}; write it with tl's own functions")
