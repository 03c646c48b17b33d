# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Emitted programs, compiled against the vendor's headers and run by its runtime
on a simulator of its chips: their values, bit for bit.

What the emitter writes is also compared with committed sources (gtest), so that
without the vendor's runtime something is still tested.
"""
import os
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("DRAWLOOM_BUILD", ROOT / "build"))
EMIT = BUILD / "bin/emit_task"
GOLDEN = ROOT / "test/vendor/golden"
VENDOR = ROOT / "test/vendor/run"

if not (ROOT / ".venv-vendor/stamp").exists():
    pytest.skip("the vendor's runtime is not installed (test/vendor/setup)", allow_module_level=True)
if not EMIT.exists():
    pytest.skip(f"{EMIT} is not built", allow_module_level=True)

BF16 = ml_dtypes.bfloat16


def golden(name):
    return np.load(GOLDEN / f"{name}.npy")


def bits(values):
    """Of values that bf16 holds exactly."""
    return np.asarray(values, BF16).view(np.uint16)


def small_integers(shape):
    """Sums and products of two of them are exact in bf16. None is 0: products
    with it would bring its sign into play."""
    rng = np.random.default_rng(0)
    return (rng.integers(1, 9, shape) * rng.choice([-1, 1], shape)).astype(np.float32)


def in_faces(lanes):
    """A tile's 1024 elements as they lie in memory, as rows and columns."""
    return lanes.reshape(2, 2, 16, 16).transpose(0, 2, 1, 3).reshape(32, 32)


# Each case: the arrays before the program ran, and after.


def product():
    before = {"a": golden("matmul.bf16.a"), "b": golden("matmul.bf16.b")}
    return before, {"c": golden("matmul.HiFi4.bf16-fp32-bf16")}


def product_of_transposed():
    before, after = product()
    return before | {"b": np.ascontiguousarray(before["b"].T)}, after


def eltwise():
    before = {"a": golden("eltwise.normal.bf16.a"), "b": golden("eltwise.normal.bf16.b")}
    after = {
        "sum": golden("add.normal.HiFi4.bf16-fp32-bf16"),
        "product": golden("mul.normal.HiFi4.bf16-fp32-bf16"),
    }
    return before, after


def edges():
    x = small_integers((64, 64))
    y = np.random.default_rng(1).standard_normal((32, 32)).astype(np.float32)
    u, v = np.full_like(x, 1.5), np.full_like(y, -np.inf)
    u[:40, :50], v[:20, :10] = x[:40, :50], y[:20, :10]
    return {"x": bits(x), "y": y}, {"u": bits(u), "v": v}


def ragged():
    x, old = small_integers(1500), np.full(1500, 100.0)
    twice = np.concatenate([2 * x, np.full(2048 - 1500, 2.0)])
    y = np.concatenate([twice[:1024], old[1024:1032], twice[1032:1500]])
    z = np.concatenate([in_faces(twice[:1024]), in_faces(twice[1024:])], axis=1)
    return {"x": bits(x), "y": bits(old)}, {"y": bits(y), "z": bits(z)}


def vector():
    x, v = small_integers((2, 32, 32))
    ones = np.ones_like(x)
    out = [x + v[:1], x * v[:, :1], x - v[0, 0], x.T, ones * x[:, :1], ones * v[:, :1]]
    out += [np.maximum(x, 0), np.maximum(x, v), np.exp(x)]
    return {"x": bits(x), "v": bits(v)}, {"out": bits(np.stack(out))}


def lines():
    """A tile of results has zeros where no result lies."""
    x = np.random.default_rng(2).integers(-2, 3, (32, 64)).astype(np.float32)
    tiles = np.stack([x[:, :32], x[:, 32:]])
    places = {(0, 2): np.s_[:, :1], (0, 1): np.s_[:1], (0, 1, 2): np.s_[:1, :1]}
    out, maxima = [], []
    for combine in (np.sum, np.max):
        for axes, place in places.items():
            out.append(np.zeros((32, 32)))
            out[-1][place] = maximum = combine(tiles, axis=axes, keepdims=True)[0]
            maxima.append(maximum)
    for maximum in maxima[3:]:
        out += [tiles[1] - maximum, tiles[1] * maximum]
    out.append(np.zeros((32, 32)))
    out[-1][:, :1] = tiles[1].sum(axis=1, keepdims=True)
    return {"x": bits(x)}, {"out": bits(np.stack(out))}


def integers():
    rng = np.random.default_rng(3)
    a, b = rng.integers(-(2**31), 2**31, (2, 32, 32))
    a[:8], b[:16] = a[:8] >> 20, b[:16] >> 22
    b[4] = a[4]
    b[16:] >>= 12  # exact as floats
    shifts = b & 31
    number = b[0, 0]
    values = [a + b, a - b, a * b, a & b, a | b, a ^ b, a << shifts, a % 2**32 >> shifts, a >> shifts]
    values += [np.maximum(a, b), np.minimum(a, b), np.where(a < b, a, b), np.full_like(a, -7)]
    values += [np.full_like(a, number), np.where(b == 0, a, np.trunc(b * 1.5).astype(int)), a - (b + number)]
    truths = [a == b, a != b, a < b, a <= b, a > b, a >= b, a % 2**32 < b % 2**32]
    truths += [np.full(a.shape, 2.5), np.full(a.shape, number)]
    before = {name: x.astype(np.int32) for name, x in (("a", a), ("b", b))}
    out = np.stack(values).astype(np.uint64).astype(np.uint32).view(np.int32)
    return before, {"out": out, "truth": bits(np.stack(truths).astype(np.float32))}


def lanes():
    rng = np.random.default_rng(4)
    n = np.zeros((1, 64), np.int32)
    n[0, :2] = 2, -5 << 16
    small = rng.integers(-128, 128, (2, 64)).astype(np.int8)
    x, y, z = small_integers((3, 64)), np.full((6, 64), 100.0), np.zeros((2, 64), np.int16)
    after = y.copy()
    after[[0, 1, 3, 4], :20] = 2 * x[0, 1:41:2], np.zeros(20), np.zeros(20), 2 * x[1, 1:21]
    z[:, :20] = small[:, 3:23]
    i, j = np.indices((32, 32)).astype(np.float32)
    before = {"n": n, "small": small, "x": bits(x), "y": bits(y)}
    return before, {"y": bits(after), "z": z, "i": np.stack([i + 3, j + 20])}


def rectangle():
    x = small_integers((64, 32))
    return {"x": bits(x)}, {"y": bits(np.stack([x] * 6))}


CASES = {
    "Task/matmul_64": product,
    "Task/multicast_2x2": product,
    "Target/Inputs/transposed": product_of_transposed,
    "Target/Inputs/spill": product,
    "Target/Inputs/eltwise": eltwise,
    "Target/Inputs/edges": edges,
    "Target/Inputs/ragged": ragged,
    "Target/Inputs/vector": vector,
    "Target/Inputs/rectangle": rectangle,
    "Target/Inputs/lines": lines,
    "Target/Inputs/integers": integers,
    "Target/Inputs/lanes": lanes,
}
# Where the cores are, and how memory is aligned, differs from chip to chip.
RUNS = [(name, "wormhole") for name in CASES]
RUNS += [(name, "blackhole") for name in
         ("Task/multicast_2x2", *(f"Target/Inputs/{name}" for name in
                                  ("edges", "rectangle", "lines", "integers", "lanes")))]


def emit(name, arch, directory):
    source = directory.parent / "program.mlir"
    source.write_text((ROOT / f"test/{name}.mlir").read_text().replace('"wormhole"', f'"{arch}"'))
    subprocess.run([EMIT, source, ROOT / "machines", directory], check=True)


def run(directory, arch):
    command = [sys.executable, VENDOR, directory, "--arch", arch]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def save(directory, arrays):
    directory.mkdir()
    for name, values in arrays.items():
        np.save(directory / f"{name}.npy", values)


@pytest.mark.parametrize("name, arch", RUNS, ids=[f"{Path(name).name}-{arch}" for name, arch in RUNS])
def test_values(name, arch, tmp_path):
    before, after = CASES[name]()
    program = tmp_path / "program"
    emit(name, arch, program)
    save(program / "inputs", before)
    run(program, arch)
    for array, expected in after.items():
        found = np.load(program / f"outputs/{array}.npy")
        if name.endswith("vector"):  # of the exponential no more is promised than its accuracy
            close = found[8].view(BF16).astype(float), expected[8].view(BF16).astype(float)
            np.testing.assert_allclose(*close, rtol=2**-7)
            found[8] = expected[8]
        np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8), err_msg=array)


def test_differences_are_reported(tmp_path):
    before, after = product()
    program = tmp_path / "program"
    emit("Task/matmul_64", "wormhole", program)
    save(program / "inputs", before)
    after["c"][5, 7] ^= 1
    save(program / "expected", after)
    command = [sys.executable, VENDOR, program, "--arch", "wormhole"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "DIFFERS in 1 of 4096" in done.stdout
