# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How near are the SFPU operations to the exact result, in bf16 and fp32 Dst? Those
of integers and choices must be exact.

    test/vendor/run test/vendor/probes/sfpu.py --arch blackhole [-- NAME ...]
"""
import math
import sys
from collections import namedtuple

import ml_dtypes
import numpy as np
import ttnn

import device as vendor

DTYPES = {"bf16": ttnn.bfloat16, "fp32": ttnn.float32, "i32": ttnn.int32}
# Of the magnitude of the result; what is not relative has a magnitude of its own.
LIMIT = {"bf16": 2.0**-8, "fp32": 2.0**-22}
APPROXIMATE = 2.0**-5 + 2.0**-7  # a line's error and a bf16 store that truncates

# `forms` are the operands' formats, `result` that of the result if it is another;
# `least` is the least magnitude that errors are related to.
Case = namedtuple("Case", "header init call function extent forms result least")


def case(header, stem, function, extent, call="(0)", init="()", forms=("bf16", "fp32"), result=None, least=1e-30):
    return Case(f"api/compute/{header}.h", f"{stem}_init{init}", stem + call, function, extent, forms, result, least)


def one(header, stem, function, extent, **options):
    return case(header, f"{stem}_tile", lambda a, b: function(a), extent, **options)


def number(header, stem, init, function):
    """A function of a tile and the number 1.5."""
    made = one(header, stem, lambda a: function(a, 1.5), (-4, 4), call="(0, 0x3fc00000u)")
    return made._replace(init=f"{init}_tile_init()")


def two(header, stem, function, **options):
    return case(header, f"{stem}_tile", function, (-8, 8), call="(0, 1, 0)", **options)


def integers(header, stem, function, init=None, templated=True, extent=(-(2**31), 2**31)):
    call = "<DataFormat::Int32>(0, 1, 0)" if templated else "(0, 1, 0)"
    made = case(header, f"{stem}_tile", function, extent, call=call, forms=("i32",))
    return made._replace(init=(init or f"{stem}_tile_init") + "()")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu_tanh(x):
    return x * sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))


erf = np.vectorize(math.erf)


def within(bits):
    """The value modulo 2^32, as a signed integer."""
    return (bits + 2**31) % 2**32 - 2**31


UNARY, ALL = "eltwise_unary/", "compute_kernel_api"
CASES = {
    "exp": one(UNARY + "exp", "exp", np.exp, (-86, 88)),
    "exp2": one(ALL, "exp2", np.exp2, (-124, 127)),
    "log": one(ALL, "log", np.log, (1e-3, 50)),
    "log2": one(ALL, "log_with_base", np.log2, (1e-3, 50))._replace(
        call="log_with_base_tile<false, true>(0, 0x3fb8aa3bu)"),
    "exp_approx": one(UNARY + "exp", "exp", np.exp, (-86, 88), init="<true>()", call="<true>(0)"),
    "exp2_approx": one(UNARY + "exp", "exp", np.exp2, (-124, 127), init="<true, 0x3f317218>()", call="<true>(0)"),
    "sqrt": one(UNARY + "sqrt", "sqrt", np.sqrt, (0, 50)),
    "rsqrt": one(UNARY + "rsqrt", "rsqrt", lambda x: 1 / np.sqrt(x), (0.01, 50)),
    "recip": one(UNARY + "recip", "recip", lambda x: 1 / x, (0.01, 50)),
    "relu": one(UNARY + "relu", "relu", lambda x: np.maximum(x, 0), (-4, 4)),
    "sigmoid": one(ALL, "sigmoid", sigmoid, (-10, 10)),
    "silu": one(ALL, "silu", lambda x: x * sigmoid(x), (-8, 8)),
    "tanh": one(ALL, "tanh", np.tanh, (-4, 4)),
    "gelu": one(UNARY + "gelu", "gelu", lambda x: x * (1 + erf(x / math.sqrt(2))) / 2, (-4, 4),
                init="<false>()", call="<false>(0)", least=2.0),
    "gelu_tanh": one(UNARY + "gelu", "gelu_tanh", gelu_tanh, (-4, 4), least=2.0**-4),
    "erf": one(UNARY + "erf_erfc", "erf", erf, (-4.5, 4.5), init="<false>()", call="<false>(0)"),
    "sin": one(UNARY + "trigonometry", "sin", np.sin, (-100, 100), least=1.0),
    "cos": one(UNARY + "trigonometry", "cos", np.cos, (-100, 100), least=1.0),
    "floor": one(UNARY + "rounding", "floor", np.floor, (-9, 9))._replace(init="rounding_op_tile_init()"),
    "ceil": one(UNARY + "rounding", "ceil", np.ceil, (-9, 9))._replace(init="rounding_op_tile_init()"),
    "square": one(ALL, "square", np.square, (-4, 4)),
    "abs": one(ALL, "abs", np.abs, (-4, 4)),
    "neg": one(UNARY + "negative", "negative", np.negative, (-4, 4)),
    "where": case(UNARY + "where", "where_tile", lambda a, b: np.where(a != 0, b, a), (-1, 1),
                  call="<DST_ACCUM_MODE ? DataFormat::Float32 : DataFormat::Float16_b>(0, 1, 0, 0)"),
    "fill": one(UNARY + "fill", "fill", lambda a: np.full_like(a, 1.5), (-4, 4))._replace(
        call="fill_tile_bitcast(0, 0x3fc00000u)"),
}
for name, function in {"add": np.add, "sub": np.subtract, "mul": np.multiply}.items():
    CASES[f"{name}_number"] = number(UNARY + "binop_with_scalar", f"{name}_unary", "binop_with_scalar", function)
    CASES[name] = two("eltwise_binary_sfpu", f"{name}_binary", function, least=1.0)
CASES["rsub"] = two("eltwise_binary_sfpu", "rsub_binary", lambda a, b: b - a, least=1.0)
CASES["div"] = two("eltwise_binary_sfpu", "div_binary", np.divide)
for name, function in {"max": np.maximum, "min": np.minimum}.items():
    CASES[f"{name}_number"] = number(ALL, f"unary_{name}", f"unary_{name}", function)
    CASES[name] = two("binary_max_min", f"binary_{name}", function)
    CASES[f"{name}si"] = integers("binary_max_min", f"binary_{name}_int32", function, templated=False)
RELATIONS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
             "ge": np.greater_equal}
for name, function in RELATIONS.items():
    CASES[f"{name}_number"] = number(UNARY + "comp", f"unary_{name}", f"unary_{name}", function)
    CASES[name] = two("eltwise_binary_sfpu", f"{name}_binary", function)
    CASES[f"{name}i"] = integers("binary_comp", f"{name}_int", function, f"{name}_int_tile_init<DataFormat::Int32>")
CASES |= {
    "addi": integers("add_int_sfpu", "add_int", np.add),
    "subi": integers("sub_int_sfpu", "sub_int", np.subtract),
    "muli": integers("mul_int_sfpu", "mul_int", np.multiply, "mul_int_tile_init<DataFormat::Int32>"),
    "shli": integers("binary_shift", "binary_left_shift", lambda a, b: a << b, "binary_shift_tile_init"),
    "shrsi": integers("binary_shift", "binary_right_shift", lambda a, b: a >> b, "binary_shift_tile_init"),
    "shrui": integers("binary_shift", "binary_logical_right_shift", lambda a, b: (a % 2**32) >> b,
                      "binary_shift_tile_init"),
    "sitofp": case(UNARY + "typecast", "typecast_tile<(uint32_t)DataFormat::Int32, (uint32_t)DataFormat::Float32>",
                   lambda a, b: a, (-(2**31), 2**31), forms=("i32",), result="fp32"),
    "fptosi": case(UNARY + "typecast", "typecast_tile<(uint32_t)DataFormat::Float32, (uint32_t)DataFormat::Int32>",
                   lambda a, b: np.trunc(a), (-1e5, 1e5), forms=("fp32",), result="i32"),
}
CASES["sitofp"] = CASES["sitofp"]._replace(
    init="typecast_tile_init<(uint32_t)DataFormat::Int32, (uint32_t)DataFormat::Float32>()")
CASES["fptosi"] = CASES["fptosi"]._replace(
    init="typecast_tile_init<(uint32_t)DataFormat::Float32, (uint32_t)DataFormat::Int32>()")
for name, function in {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}.items():
    CASES[f"{name}i"] = integers("binary_bitwise_sfpu", f"bitwise_{name}_binary", function, "binary_bitwise_tile_init")


def reduction(kind, along, form):
    """Lanes of each 32x32 tile combined; the result is in the first row or column."""
    function = {"SUM": lambda x, axis: within(x.sum(axis, keepdims=True)), "MAX": lambda x, axis: x.max(axis, keepdims=True),
                "MIN": lambda x, axis: x.min(axis, keepdims=True)}[kind]
    axis = 1 if along == "ROW" else 0
    formats = {"i32": "Int32", "fp32": "Float32"}

    def tiles(a, b):
        return np.concatenate([function(a[:, :32], axis), function(a[:, 32:], axis)], axis=1)

    made = case(ALL, "sfpu_reduce", tiles, (-(2**31), 2**31) if form == "i32" else (-8, 8), forms=(form,),
                call=f"<PoolType::{kind}, DataFormat::{formats[form]}, ReduceDim::REDUCE_{along}>(0)",
                init=f"<PoolType::{kind}, DataFormat::{formats[form]}>()")
    return made


for form in ("i32", "fp32"):
    for kind in ("SUM", "MAX", "MIN")[form == "fp32":]:
        for along in ("ROW", "COL"):
            CASES[f"reduce_{along}_{kind}_{form}".lower()] = reduction(kind, along, form)


def operands(form, extent):
    """Two arrays with equal values here and there, and with zeros."""
    rng = np.random.default_rng(0)
    if form == "i32":
        a, b = (rng.integers(*extent, (32, 64)).astype(np.int64) for _ in range(2))
        b[:, 8:16] >>= 24
        a[:, 16:24] >>= 20
        a[0, :4] = -(2**31), 2**31 - 1, 0, -1
    else:
        a, b = (rng.uniform(*extent, (32, 64)).astype(np.float32) for _ in range(2))
        if form == "bf16":
            a, b = (x.astype(ml_dtypes.bfloat16).astype(np.float32) for x in (a, b))
        if extent[0] < 0:
            a[0, :4], b[0, :2] = (0.0, -0.0, 1.5, -1.5), (-0.0, 0.0)
    b[1:5] = a[1:5]
    return a, b


def error(device, name, form):
    subject = CASES[name]
    a, b = operands(form, subject.extent)
    if name.startswith("sh"):
        b &= 31
    tensors = [device.tensor(x, DTYPES[form]) for x in (a, b)]
    result_form = subject.result or form
    result = device.empty([32, 64], DTYPES[result_form])
    kernel = vendor.kernel(
        "sfpu.cpp",
        vendor.compute(form != "bf16", straight_to_dst=[0, 1] if form != "bf16" else []),
        compile_time=[2],
        defines=[("SFPU_HEADER", f'"{subject.header}"'), ("SFPU_INIT", subject.init), ("SFPU_OP", subject.call)],
    )
    vendor.run_on_one_core(device, tensors, result, kernel)
    found = vendor.numbers(result).astype(np.float64)
    if name.startswith("reduce_row"):
        found = found[:, ::32]
    elif name.startswith("reduce_col"):
        found = found[:1]
    wide = np.int64 if form == "i32" else np.float64
    with np.errstate(invalid="ignore", divide="ignore"):
        exact = subject.function(a.astype(wide), b.astype(wide))
    if form == "i32" and result_form == "i32":
        exact = within(exact.astype(np.int64))
    both_nan = np.isnan(exact.astype(np.float64)) & ~np.isfinite(found)
    scale = np.maximum(np.abs(exact.astype(np.float64)), subject.least)
    same = both_nan | (found == exact)
    with np.errstate(invalid="ignore"):
        errors = np.where(same, 0, np.abs(found - exact) / scale)
    return np.max(errors), result_form


def main():
    good = True
    with vendor.Device() as device:
        for name in sys.argv[1:] or CASES:
            for form in CASES[name].forms:
                found, result_form = error(device, name, form)
                fits = found <= (APPROXIMATE if name.endswith("approx") else LIMIT.get(result_form, 0))
                good &= fits
                verdict = "within" if fits else "BEYOND"
                print(f"{verdict} the limit: {name} {form}: {found:.2g}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
