# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the golden files: what the vendor's kernels compute, bit for bit.

    test/vendor/run test/vendor/golden/make.py --arch blackhole
    test/vendor/run test/vendor/golden/make.py --arch wormhole -- check

With `check` nothing is written, and a difference is an error: Wormhole and
Blackhole give the same bits.
"""
import pathlib
import sys

import ml_dtypes
import numpy as np
import ttnn

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "probes"))
import device as vendor

CHECK = sys.argv[1:] == ["check"]
DTYPE = {"bf16": ttnn.bfloat16, "fp32": ttnn.float32}


def normal(rng, shape):
    return rng.standard_normal(shape)


def wide(rng, shape):
    """Magnitudes from 2^-20 to 2^20: alignment of unequal exponents."""
    return rng.standard_normal(shape) * np.exp2(rng.integers(-20, 21, shape))


def operand_pair(draw, shape, form):
    rng = np.random.default_rng(0)
    pair = [draw(rng, shape).astype(np.float32) for _ in range(2)]
    if form == "bf16":
        pair = [x.astype(ml_dtypes.bfloat16).astype(np.float32) for x in pair]
    return pair


def save(name, array):
    path = HERE / f"{name}.npy"
    if CHECK:
        if not np.array_equal(np.load(path), array):
            raise SystemExit(f"{path.name}: differs")
        return
    np.save(path, array)
    header = path.stat().st_size - array.nbytes
    assert header == 128, "readers skip 128 bytes"


def save_operands(name, pair, form):
    for side, array in zip("ab", pair):
        stored = array.view(np.uint32)
        if form == "bf16":
            stored = (stored >> 16).astype(np.uint16)
        save(f"{name}.{side}", stored)


def make(device, case, pair, forms, config, source, **kernel):
    """forms: number formats of the operands, Dst and the result."""
    operand, dst, result = forms
    operands = [device.tensor(x, DTYPE[operand]) for x in pair]
    output = device.empty(pair[0].shape, DTYPE[result])
    settings = vendor.compute(fp32_dst=dst == "fp32", **config)
    program = vendor.kernel(source, settings, **kernel)
    name = f"{case}.{operand}-{dst}-{result}"
    save(name, vendor.run_on_one_core(device, operands, output, program))
    print(name, flush=True)


def make_matmul(device):
    shape = (64, 64)
    for form in ("bf16", "fp32"):
        save_operands(f"matmul.{form}", operand_pair(normal, shape, form), form)
    cases = [
        ("HiFi4", ("bf16", "fp32", "bf16")),
        ("HiFi4", ("bf16", "fp32", "fp32")),
        ("HiFi3", ("bf16", "fp32", "fp32")),
        ("HiFi2", ("bf16", "fp32", "fp32")),
        ("LoFi", ("bf16", "fp32", "fp32")),
        ("HiFi4", ("bf16", "bf16", "bf16")),
        ("HiFi2", ("bf16", "bf16", "bf16")),
        ("HiFi4", ("fp32", "fp32", "fp32")),
    ]
    for fidelity, forms in cases:
        pair = operand_pair(normal, shape, forms[0])
        config = {"fidelity": fidelity}
        make(device, f"matmul.{fidelity}", pair, forms, config, "matmul_tiles.cpp",
             compile_time=[2, 2, 2])


def make_eltwise(device):
    shape = (32, 64)
    cases = [
        ("HiFi4", ("bf16", "fp32", "bf16")),
        ("HiFi4", ("bf16", "fp32", "fp32")),
        ("HiFi4", ("bf16", "bf16", "bf16")),
        ("HiFi4", ("fp32", "fp32", "fp32")),
    ]
    for draw in (normal, wide):
        for form in ("bf16", "fp32"):
            name = f"eltwise.{draw.__name__}.{form}"
            save_operands(name, operand_pair(draw, shape, form), form)
        for op in ("add", "sub", "mul"):
            also = [("HiFi2", forms) for forms in cases_of_multiplication(op)]
            for fidelity, forms in cases + also:
                pair = operand_pair(draw, shape, forms[0])
                make(device, f"{op}.{draw.__name__}.{fidelity}", pair, forms,
                     {"fidelity": fidelity}, "eltwise.cpp", compile_time=[2],
                     defines=[("OP_INIT", f"{op}_init"), ("OP_TILES", f"{op}_tiles")])


def cases_of_multiplication(op):
    """Fidelity matters to products only."""
    if op != "mul":
        return []
    return [("bf16", "fp32", "fp32"), ("bf16", "bf16", "bf16")]


if __name__ == "__main__":
    with vendor.Device() as device:
        make_matmul(device)
        make_eltwise(device)
