# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which ways to repeat a row, a column or an element of a tile are exact? Do
reductions want more than ones in the first row of each face, or less?

    test/vendor/run test/vendor/probes/lines.py --arch blackhole
"""
import sys

import ml_dtypes
import numpy as np
import ttnn

import device as vendor

DTYPES = {"bf16": ttnn.bfloat16, "fp32": ttnn.float32}
# Input and result, whether Dst has 32 bits, whether the input goes straight to it.
FORMS = {
    "bf16 Dst": ("bf16", "bf16", False, False),
    "bf16 to fp32 Dst": ("bf16", "fp32", True, False),
    "fp32 straight": ("fp32", "fp32", True, True),
    "fp32 by TF32": ("fp32", "fp32", True, False),
}
TILES = 2
REPEATED = {"ROW": lambda t: t[:, :1, :], "COL": lambda t: t[:, :, :1], "SCALAR": lambda t: t[:, :1, :1]}
SUFFIX = {"ROW": "rows", "COL": "cols", "SCALAR": "scalar"}


def random_tiles(form):
    x = np.random.default_rng(0).standard_normal((TILES, 32, 32)).astype(np.float32)
    return x.astype(ml_dtypes.bfloat16).astype(np.float32) if form == "bf16" else x


def run(device, x, other, form, calls, together=1, results=TILES):
    """Tiles of `x` in buffer 0 and of `other` in buffer 1; what the calls make."""
    kind, out, fp32, straight = FORMS[form]
    operands = [device.tensor(t, DTYPES[kind]) for t in (x, other)]
    result = device.empty([results, 32, 32], DTYPES[out])
    kernel = vendor.kernel(
        "lines.cpp",
        vendor.compute(fp32, straight_to_dst=[0] if straight else []),
        compile_time=[TILES, together],
        defines=list(zip(("INIT", "OP", "UNINIT"), calls)),
    )
    vendor.run_on_one_core(device, operands, result, kernel)
    return vendor.numbers(result)


def broadcasts(device, form, line):
    kind, _, _, straight = FORMS[form]
    x = random_tiles(kind)
    expected = np.broadcast_to(REPEATED[line](x), x.shape)
    zeros, ones, end = np.zeros_like(x), np.ones_like(x), SUFFIX[line]
    ways = {"unary_bcast": (x, zeros, (f"unary_bcast_init<BroadcastType::{line}>(0)",
                                       f"unary_bcast<BroadcastType::{line}>(0, tile, 0)",
                                       f"unary_bcast_uninit<BroadcastType::{line}>(0)"))}
    if not straight:
        for name, other, init in (("add to zeros", zeros, f"add_bcast_{end}_init"),
                                  ("multiply by ones", ones, f"mul_bcast_{end}_init")):
            call = f"{init[:3]}_tiles_bcast_{end}(1, 0, tile, tile, 0)"
            ways[name] = (x, other, (f"{init}(1, 0)", call, ""))
    for name, (a, b, calls) in ways.items():
        found = run(device, a, b, form, calls)
        wrong = np.count_nonzero(found != expected)
        error = np.max(np.abs(found - expected))
        print(f"{form}, {line} by {name}: {wrong} differ, by at most {error:.2g}", flush=True)


def reductions(device, form, pool, extent):
    kind = FORMS[form][0]
    x = np.round(random_tiles(kind) * 8)  # sums are exact
    both = np.concatenate(list(x), axis={"ROW": 1, "COL": 0, "SCALAR": 0}[extent])
    combine = np.sum if pool == "SUM" else np.max
    expected = np.zeros((32, 32), np.float32)
    if extent == "ROW":
        expected[:, 0] = combine(both, axis=1)
    elif extent == "COL":
        expected[0] = combine(both, axis=0)
    else:
        expected[0, 0] = combine(both)
    kinds = f"<PoolType::{pool}, ReduceDim::REDUCE_{extent}>"
    calls = (f"reduce_init{kinds}(0, 1, 16)", f"reduce_tile{kinds}(0, 1, tile, 0, 0)", "reduce_uninit(0)")
    rows, all_ones = np.zeros_like(x), np.ones_like(x)
    rows[:, [0, 16], :] = 1
    for name, scaler in (("ones in the first rows", rows), ("ones everywhere", all_ones)):
        found = run(device, x, scaler, form, calls, together=TILES, results=1)[0]
        wrong = np.count_nonzero(found != expected)
        print(f"{form}, {pool} over {extent}, {name}: {wrong} differ", flush=True)


def main():
    with vendor.Device() as device:
        for form in FORMS:
            for line in REPEATED:
                broadcasts(device, form, line)
        for form in ("bf16 Dst", "bf16 to fp32 Dst", "fp32 by TF32"):
            for pool in ("SUM", "MAX"):
                for extent in ("ROW", "COL", "SCALAR"):
                    reductions(device, form, pool, extent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
