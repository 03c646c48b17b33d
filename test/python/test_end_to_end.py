# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example, and products and sums of awkward shapes, from Triton to simulated values."""
import itertools
import random
import runpy
import subprocess
import sys

import numpy as np
import pytest
import triton
from kernels import elementwise, products
from kernels.line import BF16, F32, ROOT, asking, assert_near, checked, normal, succeeds, wide, zeros

MACHINES = {
    "wormhole": {"machine": "wormhole"},
    "wormhole-4x8": {"machine": "wormhole", "grid": "4x8"},
    "blackhole": {"machine": "blackhole"},
    "blackhole-10x10": {"machine": "blackhole", "grid": "10x10"},
}
on_machines = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
EXAMPLES = ROOT / "examples" / "triton"
SHAPES = [(1000, 777, 300), (32, 2048, 32), (7, 5, 3), (128, 1, 64), (33, 65, 97)]
# One launch each of several examples; the others, and more sizes, are in test_families.py.
SIZES = {
    "matmul.py": "--m 33 --n 65 --k 97",
    "matmul_epilogue.py": "--activation gelu --m 100 --n 130 --k 70",
    "silu_mul.py": "--rows 1 --columns 30",
    "vector_add.py": "--n 98432",
}


def run_example(name, words):
    """The exit code of an example's own check, in this process."""
    sys.argv = [name, *words.split()]
    with pytest.raises(SystemExit) as done:
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return done.value.code


# In a matrix of one column every `columns % N` is 0: all lanes read one element, which no load can say.
@pytest.mark.parametrize("m, n, k", [shape for shape in SHAPES if shape[1] > 1])
@on_machines
def test_the_tutorial_product_agrees_with_numpy_and_the_interpreter(machine, m, n, k, monkeypatch):
    monkeypatch.setattr(sys, "argv", sys.argv)
    with asking(check=True, **machine):
        assert run_example("matmul.py", f"--m {m} --n {n} --k {k}") == 0


@pytest.mark.parametrize("name", SIZES)
def test_the_command_runs_an_example(name):
    printed = succeeds("run", EXAMPLES / name, "--check", "--", *SIZES[name].split())
    assert "within their bounds" in printed and "simulated" in printed and "largest error" in printed


@pytest.mark.parametrize("name", SIZES)
def test_an_example_is_a_plain_script(name):
    done = subprocess.run([sys.executable, EXAMPLES / name, *SIZES[name].split()], check=False, capture_output=True,
                          text=True)
    assert done.returncode == 0 and "largest error" in done.stdout, done.stdout + done.stderr


def test_faults_of_the_silicon_are_shown_when_asked_for(monkeypatch):
    """Wormhole's adder misnormalises a sum of -1 in the last place, which these values meet once."""
    monkeypatch.setattr(sys, "argv", sys.argv)
    with asking(errata=True):
        assert run_example("matmul.py", "--m 1000 --n 777 --k 300 --seed 0") == 1


def test_a_large_product():
    printed = succeeds("run", EXAMPLES / "matmul.py", "--check", "--", "--m", 1024, "--n", 1024, "--k", 1024)
    assert "1048576 elements within their bounds" in printed


def multiply(M, N, K, blocks=(64, 64, 32), transposed=(False, False), dtype=BF16, out=BF16, epilogue="none", seed=0,
             asked=None):
    """A checked product of normal values: its operands, its result, its report."""

    def operand(rows, columns, is_transposed, number):
        shape = (columns, rows) if is_transposed else (rows, columns)
        stored = normal(2 * seed + number, *shape, dtype=dtype)
        return stored.T if is_transposed else stored

    a, b = operand(M, K, transposed[0], 0), operand(K, N, transposed[1], 1)
    c = zeros(M, N, dtype=out)
    result = checked(products.product, (triton.cdiv(M, blocks[0]), triton.cdiv(N, blocks[1])), a, b, c, M, N, K,
                     *a.stride(), *b.stride(), *c.stride(), BM=blocks[0], BN=blocks[1], BK=blocks[2],
                     EPILOGUE=epilogue, asked=asked)
    return a, b, c, result


@on_machines
def test_products_of_every_shape(machine):
    for shape in SHAPES:
        a, b, c, _ = multiply(*shape, asked=machine)
        assert_near(c, wide(a) @ wide(b))


@pytest.mark.parametrize("transposed", list(itertools.product([False, True], repeat=2)))
@pytest.mark.parametrize("dtype", [BF16, F32], ids=str)
def test_transposed_operands(transposed, dtype):
    a, b, c, _ = multiply(100, 70, 130, transposed=transposed, dtype=dtype, out=dtype)
    assert_near(c, wide(a) @ wide(b))


@pytest.mark.parametrize("blocks", [(32, 32, 32), (128, 32, 64), (32, 128, 128), (128, 128, 64)])
def test_blocks_that_do_not_divide_the_grid(blocks):
    """37 tile rows and 11 tile columns: primes, larger than a side of the machine."""
    a, b, c, _ = multiply(37 * 32, 11 * 32, 64, blocks=blocks)
    assert_near(c, wide(a) @ wide(b))


def test_many_blocks_of_rows_start_their_sums_afresh():
    """More blocks than cores, several steps each: an accumulator is reset for every block, not once."""
    a, b, c, result = multiply(640, 640, 256, blocks=(32, 32, 32), asked=MACHINES["wormhole-4x8"])
    assert result["grid"] == [20, 20, 1]
    assert_near(c, wide(a) @ wide(b))


@pytest.mark.parametrize("epilogue, function", [
    ("relu", lambda x: np.maximum(x, 0)), ("silu", lambda x: x / (1 + np.exp(-x))), ("scale", lambda x: x / 8 + 1),
])
def test_epilogues(epilogue, function):
    a, b, c, _ = multiply(100, 70, 130, epilogue=epilogue)
    assert_near(c, function(wide(a) @ wide(b)))


@pytest.mark.parametrize("dtype", [BF16, F32], ids=str)
@on_machines
def test_sums_of_every_length(machine, dtype):
    for n in (1, 20, 1023, 98432):
        x, y, z = normal(1, n, dtype=dtype), normal(2, n, dtype=dtype), zeros(n, dtype=dtype)
        checked(elementwise.add, (triton.cdiv(n, 1024), ), x, y, z, n, BLOCK=1024, asked=machine)
        assert_near(z, wide(x) + wide(y))


@pytest.mark.parametrize("seed", range(24))
def test_random_products(seed):
    chance = random.Random(seed)
    shape = [chance.choice([1, 2, 31, 32, 33, 64, 95, 130, 200, 257]) for _ in range(3)]
    asked = chance.choice(list(MACHINES.values())) | {"fidelity": chance.choice(["hifi4", "hifi2", "lofi"]),
                                                      "top_k": chance.choice([0, 3])}
    multiply(*shape, blocks=[chance.choice([32, 64, 128]) for _ in range(3)],
             transposed=[chance.random() < 0.3 for _ in range(2)], dtype=chance.choice([BF16, F32]),
             out=chance.choice([BF16, F32]), epilogue=chance.choice(["none", "relu", "silu", "scale"]), seed=seed,
             asked=asked)
