# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics show the kernel's own line, and end a process without a stack."""
import subprocess
import sys

import pytest
from drawloom.errors import CompileError

SOURCE = "first\n    x = load(p + table[i])\n\ty = 1\n"


def test_the_line_and_a_caret_follow_each_location(tmp_path):
    file = tmp_path / "kernel.py"
    file.write_text(SOURCE)
    error = CompileError(f"{file}:2:9: error: data-dependent address\n{file}:3:2: note: after this\n  rule: affine only\n")
    assert str(error).split("\n") == [
        f"{file}:2:9: error: data-dependent address",
        "    x = load(p + table[i])",
        "        ^",
        f"{file}:3:2: note: after this",
        "\ty = 1",
        "\t^",
        "  rule: affine only",
    ]


def test_a_line_already_shown_is_not_repeated(tmp_path):
    file = tmp_path / "kernel.py"
    file.write_text(SOURCE)
    text = f"{file}:2:9: error: no\n    x = load(p + table[i])\n        ^"
    assert str(CompileError(text)) == text


def test_unknown_places_are_left_alone():
    text = "nowhere.py:2:9: error: no\nerror: without a place"
    assert str(CompileError(text)) == text
    assert CompileError(text).diagnostic == text


def run(code):
    return subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)


def test_no_stack_for_a_refusal():
    done = run("from drawloom import errors; errors.hide_traceback(); errors.hide_traceback()\n"
               "raise errors.CompileError('k.py:1:1: error: no')")
    assert (done.returncode, done.stderr) == (1, "k.py:1:1: error: no\n")


def test_other_exceptions_keep_their_stack():
    done = run("from drawloom import errors; errors.hide_traceback(); 1 / 0")
    assert done.returncode == 1 and "Traceback" in done.stderr and "ZeroDivisionError" in done.stderr


KERNELS = """\
import drawloom, numpy as np, triton, triton.language as tl

@triton.jit
def helper(x):
    return tl.sort(x)  # at fault

@triton.jit
def sorting(x_ptr, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.store(x_ptr + o, helper(tl.load(x_ptr + o)))  # calls it

@triton.jit
def printing(x_ptr, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.device_print("o", o)  # left out
    tl.store(x_ptr + o, tl.load(x_ptr + o))

@triton.jit
def unknown(x_ptr, BLOCK: tl.constexpr):
    tl.no_such_thing(x_ptr)  # at fault

x = drawloom.array(np.ones(64), np.float32)
"""


@pytest.fixture
def python(tmp_path):
    """Runs a script plainly, after KERNELS; its exit code, what it printed, and the number of a line of it."""

    def python(text):
        path = tmp_path / "case.py"
        path.write_text(KERNELS + text)
        done = subprocess.run([sys.executable, path], check=False, capture_output=True, text=True)
        lines = path.read_text().split("\n")
        return done, lambda words: f"{path}:{1 + next(i for i, line in enumerate(lines) if words in line)}:"

    return python


def test_the_script_may_catch_a_refusal(python):
    done, place = python("try:\n    sorting[(1,)](x, BLOCK=64)\n"
                         "except drawloom.CompileError as error:\n    print(error)\n    print('went on')\n")
    assert done.returncode == 0 and done.stderr == "" and done.stdout.endswith("went on\n")
    assert done.stdout.startswith(place("return tl.sort"))


def test_an_uncaught_refusal_shows_fault_call_and_launch(python):
    done, place = python("def main():\n    sorting[(1,)](x, BLOCK=64)  # launch\n\nmain()\n")
    lines = done.stderr.rstrip().split("\n")
    assert done.returncode == 1 and done.stdout == "" and len(lines) == 9
    for at, words, text in [(0, "return tl.sort", " error: "), (3, "# calls it", " note: called here"),
                            (6, "# launch", " note: launched here")]:
        assert lines[at].startswith(place(words)) and text in lines[at], done.stderr
        assert words in lines[at + 1]
        column = int(lines[at].split(":")[2])
        assert lines[at + 2] == " " * (column - 1) + "^"


def test_what_triton_refuses_has_no_stack_either(python):
    done, _ = python("unknown[(1,)](x, BLOCK=64)\n")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "no_such_thing(x_ptr)  # at fault" in done.stderr and "error: Triton cannot trace" in done.stderr


def test_warnings_are_pythons(python):
    done, place = python("for _ in range(2):\n    printing[(1,)](x, BLOCK=64)\n")
    assert done.returncode == 0
    assert done.stderr.startswith(place("# left out") + " CompileWarning: ")
    assert done.stderr.count("CompileWarning") == 1
    done, _ = python("import warnings\nwarnings.simplefilter('error')\nprinting[(1,)](x, BLOCK=64)\n")
    assert done.returncode == 1 and "CompileWarning" in done.stderr


def test_where_no_configuration_runs_the_launch_says_why(python):
    done, place = python("configs = [triton.Config({'BLOCK': b}) for b in (32, 64)]\n"
                         "triton.autotune(configs, key=[])(sorting)[(1,)](x)\n")
    assert done.returncode == 1 and done.stderr.startswith(place("return tl.sort")), done.stderr


def test_grids_are_integers(python):
    done, _ = python("printing[(1.5,)](x, BLOCK=64)\n")
    assert done.returncode == 1 and "TypeError" in done.stderr
