# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics show the kernel's own line, and end a process without a stack."""
import subprocess
import sys

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
