# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running a script under `drawloom`: options, reports, results, exit codes."""
import json
import textwrap

import drawloom
import pytest
from drawloom import script

KERNEL = """
import sys
import drawloom, numpy as np, triton, triton.language as tl

@triton.jit
def copy_kernel(x_ptr, y_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets))

x = drawloom.array(np.zeros(32, np.float32))
"""
LAUNCH = "copy_kernel[(1,)](x, x, BLOCK=32)\n"


@pytest.fixture
def write(tmp_path):

    def write(text):
        path = tmp_path / "case.py"
        path.write_text(textwrap.dedent(text))
        return str(path)

    return write


def test_results_are_written_and_reports_printed(native, asked, write, tmp_path, capsys):
    out = tmp_path / "out.json"
    asked(command="run", machine="blackhole", json=str(out), top_k=3)
    assert script.main([write(KERNEL + LAUNCH * 2)]) == 0
    assert capsys.readouterr().out == "<copy_kernel>\n<copy_kernel>\n"
    written = json.loads(out.read_text())
    assert written["machine"] == "blackhole" and written["options"]["top_k"] == 3
    assert [result["simulated_us"] for result in written["launches"]] == [2.0, 2.0]
    assert "report" not in written["launches"][0]
    assert native.calls[0].options["machine"] == "blackhole"


def test_json_on_standard_output_stands_alone(native, asked, write, capsys):
    asked(json="-")
    assert script.main([write(KERNEL + LAUNCH)]) == 0
    assert len(json.loads(capsys.readouterr().out)["launches"]) == 1


def test_a_failed_check_passes_its_code_through(native, asked, write, tmp_path):
    asked(json=str(tmp_path / "out.json"))
    assert script.main([write(KERNEL + LAUNCH + "sys.exit(3)")]) == 3
    assert len(json.loads((tmp_path / "out.json").read_text())["launches"]) == 1


def test_exit_with_a_message_is_a_failure(native, asked, write, capsys):
    asked()
    assert script.main([write(KERNEL + LAUNCH + "sys.exit('wrong')")]) == 1
    assert capsys.readouterr().err == "wrong\n"


def test_the_script_sees_its_own_arguments(native, asked, write):
    asked()
    assert script.main([write(KERNEL + LAUNCH + "assert sys.argv[1:] == ['--m', '4']"), "--m", "4"]) == 0


def test_a_refusal_ends_the_script_without_a_stack(native, asked, write, capsys):
    asked()
    path = write(KERNEL + LAUNCH)

    def refuse(call):
        raise native.CompileError(f"{path}:8:31: error: not affine")

    native.answer = refuse
    assert script.main([path]) == 1
    printed = capsys.readouterr().err.split("\n")
    assert printed[0].endswith("error: not affine")
    assert printed[1].startswith("    tl.store(") and printed[2] == " " * 30 + "^"
    assert printed[3].endswith("note: launched here") and printed[4] == LAUNCH.strip()
    assert printed[6:] == [""]


def test_a_kernel_triton_refuses_has_no_stack_either(native, asked, write, capsys):
    asked()
    text = KERNEL.replace("tl.load(x_ptr + offsets)", "tl.no_such_thing(offsets)")
    assert script.main([write(text + LAUNCH)]) == 1
    printed = capsys.readouterr().err
    assert "no_such_thing" in printed and "Traceback" not in printed


def test_the_scripts_own_exceptions_are_its_own(native, asked, write, tmp_path):
    asked(json=str(tmp_path / "out.json"))
    with pytest.raises(ZeroDivisionError):
        script.main([write(KERNEL + LAUNCH + "1 / 0")])
    assert (tmp_path / "out.json").exists()


def test_a_plain_array_is_told_to_be_wrapped(native, asked, write):
    asked()
    with pytest.raises(TypeError) as caught:
        script.main([write(KERNEL + "copy_kernel[(1,)](np.zeros(32), x, BLOCK=32)")])
    assert "drawloom.array(x)" in caught.value.__notes__[0]


def test_a_script_that_launches_nothing_is_an_error(asked, write, capsys):
    asked()
    assert script.main([write("x = 1")]) == 1
    assert "launched no kernel" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["missing.py"]])
def test_no_script_is_an_error(arguments, capsys):
    assert script.main(arguments) == 1
    assert "no such script" in capsys.readouterr().err


@pytest.mark.parametrize("given, expected", [
    ({"command": "run"}, True), ({}, True), ({"command": "run", "timing_only": True}, False),
    ({"command": "plan"}, False), ({"command": "compile"}, False), ({"command": "emit"}, False),
])
def test_only_a_run_has_values(asked, given, expected):
    asked(**given)
    assert drawloom.has_values() is expected


def test_bad_options_are_told(monkeypatch, asked):
    asked()
    monkeypatch.setenv("DRAWLOOM_OPTIONS", "{")
    with pytest.raises(ValueError, match="not JSON"):
        drawloom.has_values()
