# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run reports, and that a run can be resumed from every state of the line."""
import json

import drawloom
import numpy as np
import pytest
import triton
import triton.language as tl
from drawloom import script
from kernels import products
from kernels.line import ROOT, asking, assert_near, checked, normal, programs_text, report, succeeds, wide, zeros

EXAMPLES = ROOT / "examples" / "triton"
STATES = ["tile", "mapped", "task", "physical"]
NUMBERS = ["estimate_us", "simulated_us", "cycles", "flops", "dram_read_bytes", "dram_write_bytes", "noc_bytes",
           "peak_l1_bytes"]


def small_product(M=100, N=70, K=130):
    """The arguments of a product, and its grid."""
    a, b, c = normal(1, M, K), normal(2, K, N), zeros(M, N)
    return (triton.cdiv(M, 64), triton.cdiv(N, 64)), (a, b, c, M, N, K, K, 1, N, 1, N, 1)


def run_product(**asked):
    grid, arguments = small_product()
    result = report(products.product, grid, *arguments, asked=asked, BM=64, BN=64, BK=32)
    return result, arguments[2]


def without_seconds(result):
    return {key: value for key, value in result.items() if key != "seconds"}


def test_every_key_of_a_report():
    result, _ = run_product()
    assert result["kernel"] == "product" and result["grid"] == [2, 2, 1]
    for key in NUMBERS:
        assert result[key] > 0, key
    assert result["layout_us"] >= 0
    assert result["flops"] >= 2 * 100 * 70 * 130
    assert {"summary", "mapping", "loads", "candidates"} <= result["plan"].keys()
    candidates = result["plan"]["candidates"]
    assert candidates["enumerated"] >= candidates["legal"] > 0
    assert {"import", "plan", "lower", "simulate"} <= result["seconds"].keys()
    assert all(seconds >= 0 for seconds in result["seconds"].values())


def test_bytes_are_those_that_must_move():
    """Every element of both operands is read at least once, and every result written once."""
    result, _ = run_product()
    assert result["dram_read_bytes"] >= 2 * (100 * 130 + 130 * 70)
    assert result["dram_write_bytes"] >= 2 * 100 * 70


def test_the_files_of_two_runs_are_equal(tmp_path):
    written = []
    for name in ("a.json", "b.json"):
        succeeds("run", EXAMPLES / "matmul.py", "--json", tmp_path / name, "--", "--m", 128, "--n", 256, "--k", 64)
        document = json.loads((tmp_path / name).read_text())
        document["options"].pop("json")
        document["launches"] = [without_seconds(result) for result in document["launches"]]
        written.append(document)
    assert written[0] == written[1] and written[0]["machine"] == "wormhole"


def test_two_runs_give_equal_bits():
    (first, c), (second, d) = run_product(), run_product()
    assert without_seconds(first) == without_seconds(second)
    assert c.tobytes() == d.tobytes()


def test_json_on_standard_output_stands_alone():
    printed = succeeds("run", EXAMPLES / "vector_add.py", "--json", "-", "--timing-only", "--", "--n", 100)
    (launch, ) = json.loads(printed)["launches"]
    assert launch["kernel"] == "add_kernel"


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_timing_only_leaves_the_arrays_and_takes_the_same_time(machine):
    valued, _ = run_product(machine=machine)
    timed, c = run_product(machine=machine, timing_only=True)
    assert not np.asarray(c).astype(np.float32).any()
    assert [timed[key] for key in NUMBERS] == [valued[key] for key in NUMBERS]


@triton.jit
def sum_of_rows(x_ptr, length_ptr, y_ptr, N: tl.constexpr):
    total = tl.zeros((N, ), tl.float32)
    for row in range(tl.load(length_ptr + tl.program_id(0))):
        total += tl.load(x_ptr + row * N + tl.arange(0, N))
    tl.store(y_ptr + tl.program_id(0) * N + tl.arange(0, N), total)


def test_timing_only_follows_what_memory_decides(tmp_path):
    x, lengths = np.ones((40, 64), np.float32), np.array([3, 40, 0], np.int32)
    cycles = {}
    for timing_only in (False, True):
        y = np.zeros((3, 64), np.float32)
        arguments = drawloom.array(x), drawloom.array(lengths), drawloom.array(y)
        result = report(sum_of_rows, (3, ), *arguments, N=64, asked={"timing_only": timing_only})
        cycles[timing_only] = result["cycles"]
        np.testing.assert_array_equal(y[:, 0], 0 if timing_only else lengths)
    assert cycles[True] == cycles[False]
    path = tmp_path / "mapped.mlir"
    path.write_text(programs_text(sum_of_rows, (3, ), *arguments, to="mapped", N=64))
    assert "taken to be all zero" in succeeds("run", path, "--timing-only")


def test_timing_only_has_no_values():
    with asking(timing_only=True):
        assert not drawloom.has_values()
    with asking():
        assert drawloom.has_values()


@pytest.mark.parametrize("to", STATES)
def test_a_program_resumes_from_every_state(to, tmp_path):
    result, _ = run_product()
    grid, arguments = small_product()
    path = tmp_path / f"{to}.mlir"
    path.write_text(programs_text(products.product, grid, *arguments, to=to, BM=64, BN=64, BK=32))
    printed = succeeds("run", path, "--check", "--json", tmp_path / "out.json")
    assert "7000 elements within their bounds" in printed
    (launch, ) = json.loads((tmp_path / "out.json").read_text())["launches"]
    assert launch["cycles"] == result["cycles"]
    assert launch["dram_read_bytes"] == result["dram_read_bytes"]


@pytest.mark.parametrize("to", STATES)
def test_a_printed_program_is_printed_again_the_same(to, tmp_path):
    path = tmp_path / "once.mlir"
    succeeds("compile", EXAMPLES / "vector_add.py", "--to", to, "-o", path, "--", "--n", 5000)
    assert succeeds("compile", path, "--to", to) == path.read_text()


def test_a_command_that_compiles_touches_nothing():
    grid, arguments = small_product()
    text = programs_text(products.product, grid, *arguments, to="tile", BM=64, BN=64, BK=32)
    assert "tile.program @product" in text and "map [" not in text
    assert not np.asarray(arguments[2]).astype(np.float32).any()


def test_the_fastest_of_several_plans_is_no_slower():
    first, _ = run_product()
    best, c = run_product(top_k=4)
    assert best["cycles"] <= first["cycles"]
    assert_near(c, wide(normal(1, 100, 130)) @ wide(normal(2, 130, 70)))


@pytest.mark.parametrize("fidelity, relative", [("lofi", 5e-2), ("hifi2", 2e-2), ("hifi3", 1e-2), ("hifi4", 1e-2)])
def test_fidelities(fidelity, relative):
    grid, arguments = small_product()
    checked(products.product, grid, *arguments, asked={"fidelity": fidelity}, BM=64, BN=64, BK=32)
    assert_near(arguments[2], wide(arguments[0]) @ wide(arguments[1]), relative)


def test_ttir_files(tmp_path):
    """A launch from a file of TTIR takes its grid and scalars from the command line."""
    path = ROOT / "test" / "Import" / "Triton" / "vector_add.ttir"
    if not path.exists():
        pytest.skip("the import's own inputs are elsewhere")
    printed = succeeds("run", path, "--launch-grid", 4, "--arg", "n=4000", "--check")
    assert "within their bounds" in printed


def test_a_comparison_that_fails_fails_the_command(native, asked, tmp_path):
    """The script says all is well; the comparison with the interpreter does not."""
    path = tmp_path / "case.py"
    path.write_text(f"import sys\nsys.path.insert(0, {str(ROOT / 'test' / 'python')!r})\n"
                    "from kernels.elementwise import add\nfrom kernels.line import normal, zeros\n"
                    "add[(1,)](normal(1, 20), normal(2, 20), zeros(20), 20, BLOCK=32)\n")
    asked(command="run", check=True)
    assert script.main([str(path)]) == 0
    native.answer = lambda call: {"passed": False}
    assert script.main([str(path)]) == 1
