# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All legal plans of one program are right, and those of equal chunks give equal bits.

Plans are edited into the mapped text at random: each must run and agree with
the interpreter, or be refused at a place; nothing may crash, hang or deadlock.
"""
import re

import pytest
import triton
from kernels import elementwise, products
from kernels.line import BF16, CRASHES, F32, checked, command, normal, programs_text, zeros
from kernels.plans import other_plan, pinned_plan

SEEDS = range(8)


def product_text(M, N, K, BM, BN, BK, transposed=False, dtype=BF16, epilogue="none"):
    a, b, c = normal(1, M, K, dtype=dtype), normal(2, K, N, dtype=dtype), zeros(M, N)
    if transposed:
        a, b = normal(1, K, M, dtype=dtype).T, normal(2, N, K, dtype=dtype).T
    return programs_text(products.product, (triton.cdiv(M, BM), triton.cdiv(N, BN)), a, b, c, M, N, K, *a.stride(),
                         *b.stride(), *c.stride(), to="mapped", BM=BM, BN=BN, BK=BK, EPILOGUE=epilogue)


def sum_text(n, block):
    return programs_text(elementwise.add, (triton.cdiv(n, block), ), normal(1, n), normal(2, n), zeros(n), n,
                         to="mapped", BLOCK=block)


PROGRAMS = {
    "product": lambda: product_text(256, 192, 128, 32, 32, 32),
    "ragged product": lambda: product_text(150, 100, 70, 32, 64, 32),
    "transposed product": lambda: product_text(100, 130, 96, 32, 32, 32, transposed=True),
    "product of fp32": lambda: product_text(96, 96, 64, 32, 32, 32, dtype=F32),
    "product with an epilogue": lambda: product_text(128, 200, 64, 64, 32, 32, epilogue="silu"),
    "sum": lambda: sum_text(20_000, 1024),
    "ragged sum": lambda: sum_text(5_001, 1024),
}


def run_plan(text, directory):
    """The results' bytes of a plan that runs, None of one that is refused."""
    directory.mkdir()
    path = directory / "plan.mlir"
    path.write_text(text)
    done = command("run", path, "--check", "--emit", directory / "out")
    assert done.returncode in (0, 1), f"{text}\n{done.stderr}"
    for word in (*CRASHES, "deadlock", "[undefined]", "CHECK"):
        assert word not in done.stderr + done.stdout, f"{text}\n{done.stdout}{done.stderr}"
    if done.returncode == 1:
        assert re.search(r"plan\.mlir:\d+:\d+: error: ", done.stderr), done.stderr
        return None
    return [file.read_bytes() for file in sorted((directory / "out" / "expected").iterdir())]


@pytest.mark.parametrize("name", PROGRAMS)
def test_other_plans_give_equal_results(name, tmp_path):
    planned = PROGRAMS[name]()
    own = re.search(r"tile\.chunk = (\d+)", planned)
    results = {int(own[1]) if own else 1: run_plan(planned, tmp_path / "own")}
    assert None not in results.values()
    ran = 0
    for seed in SEEDS:
        text, chunk = other_plan(planned, seed)
        result = run_plan(text, tmp_path / str(seed))
        if result is not None:
            ran += 1
            assert results.setdefault(chunk, result) == result, text
    assert ran > 0, "every other plan was refused"


@pytest.mark.parametrize("chunk", [1, 2, 5])
def test_senders_outside_the_array(chunk, tmp_path):
    """9 block columns over 8 cores and 2 waves: the last cores have none; 5 iterations, in chunks that may not divide."""
    text = pinned_plan(product_text(130, 257, 130, 32, 32, 32),
                       '#tile.space<0 on "y" x 5>, #tile.space<1 on "x" x 8>, #tile.wave<1 x 2>', [
                           'multicast<along ["x"] senders one net 1> hoist 2 depth 1',
                           'multicast<along ["y"] senders one net 0> hoist 2 depth 1'
                       ], chunk)
    assert run_plan(text, tmp_path / "plan") is not None
