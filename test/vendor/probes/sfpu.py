# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How near are the SFPU operations to the exact result, in bf16 and fp32 Dst?

    test/vendor/run test/vendor/probes/sfpu.py --arch blackhole [-- NAME ...]
"""
import sys

import ml_dtypes
import numpy as np
import ttnn

import device as vendor


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


# name: (calls' stem, operands in Dst, exact function, range of the operands)
UNARY = {
    "exp": (np.exp, (-86, 88)),
    "recip": (lambda x: 1 / x, (0.01, 50)),
    "relu": (lambda x: np.maximum(x, 0), (-4, 4)),
    "sigmoid": (sigmoid, (-10, 10)),
    "silu": (lambda x: x * sigmoid(x), (-8, 8)),
    "square": (np.square, (-4, 4)),
    "abs": (np.abs, (-4, 4)),
}
BINARY = {
    "add_binary": np.add,
    "sub_binary": np.subtract,
    "rsub_binary": lambda a, b: b - a,
    "mul_binary": np.multiply,
    "div_binary": np.divide,
    "binary_max": np.maximum,
    "binary_min": np.minimum,
}
# Of the magnitude of the result; sums are judged by their operands' magnitude.
LIMIT = {"bf16": 2.0**-8, "fp32": 2.0**-22}


def case(name):
    """(calls of SFPU_INIT and SFPU_OP, exact function of two operands, range)."""
    if name in UNARY:
        function, extent = UNARY[name]
        return f"{name}_tile_init", f"{name}_tile(0)", lambda a, b: function(a), extent
    return f"{name}_tile_init", f"{name}_tile(0, 1, 0)", BINARY[name], (-8, 8)


def error(device, name, form):
    init, call, function, extent = case(name)
    rng = np.random.default_rng(0)
    a, b = (rng.uniform(*extent, (32, 64)).astype(np.float32) for _ in range(2))
    if form == "bf16":
        a, b = (x.astype(ml_dtypes.bfloat16).astype(np.float32) for x in (a, b))
    dtype = ttnn.float32 if form == "fp32" else ttnn.bfloat16
    operands = [device.tensor(x, dtype) for x in (a, b)]
    result = device.empty([32, 64], dtype)
    straight = [0, 1] if form == "fp32" else []
    kernel = vendor.kernel(
        "sfpu.cpp",
        vendor.compute(form == "fp32", straight_to_dst=straight),
        compile_time=[2],
        defines=[("SFPU_INIT", init), ("SFPU_OP", call)],
    )
    vendor.run_on_one_core(device, operands, result, kernel)
    exact = function(a.astype(np.float64), b.astype(np.float64))
    scale = np.maximum(np.abs(exact), 1e-30)
    if name in ("add_binary", "sub_binary", "rsub_binary"):
        scale = np.maximum(scale, 2.0**-3)
    return np.max(np.abs(vendor.numbers(result) - exact) / scale)


def main():
    names = sys.argv[1:] or [*UNARY, *BINARY]
    good = True
    with vendor.Device() as device:
        for name in names:
            for form in ("bf16", "fp32"):
                found = error(device, name, form)
                fits = found <= LIMIT[form]
                good &= fits
                verdict = "within" if fits else "BEYOND"
                print(f"{verdict} the limit: {name} {form}: {found:.2g}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
