# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input that is refused: exit code 1, the place, the rule and what to do; never a crash."""
import random
import re
import subprocess
import sys
import textwrap

import pytest
from drawloom import script
from kernels.line import CRASHES, ROOT, asking, command

HEADER = """\
import drawloom, numpy as np, triton, triton.language as tl

def f32(*shape):
    return drawloom.array(np.ones(shape, np.float32))

def i32(*shape):
    return drawloom.array(np.zeros(shape, np.int32))

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
"""
LAUNCH = "kernel[(1,)](f32(1024), f32(1024), 1000, BLOCK=1024)"

# Name: (the kernel's lines, the one at fault ending in `# here`, or the whole kernel is; the launch; words of the
# message).
KERNELS = {
    "gather": ("""
        x = tl.load(x_ptr + o)
        tl.store(y_ptr + o, tl.gather(x, o, 0))  # here""", LAUNCH, ["gather"]),
    "a store to a read-only array": ("""
        tl.store(y_ptr + o, tl.load(x_ptr + o))  # here""",
                                     "y = f32(1024)\ny.flags.writeable = False\n" + LAUNCH.replace("f32(1024), f32(1024)", "f32(1024), y"),
                                     ["`y_ptr`", "read-only", "copy"]),
    "while": ("""
        i = n
        while i > 1:  # here
            tl.store(y_ptr + o, tl.load(x_ptr + o))
            i = i // 2""", LAUNCH, ["while", "for"]),
    "a sort": ("""
        tl.store(y_ptr + o, tl.sort(tl.load(x_ptr + o)))  # here""", LAUNCH, []),
    "a block pointer": ("""
        p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))  # here
        tl.store(y_ptr + o, tl.load(p))""", LAUNCH, ["tensor descriptor"]),
    "a store through a remainder": ("""
        tl.store(y_ptr + o % 7, tl.load(x_ptr + o))  # here""", LAUNCH, ["several lanes"]),
    "a square of an index": ("""
        tl.store(y_ptr + o, tl.load(x_ptr + o * o))  # here""", LAUNCH, ["affine"]),
    "an object that is too small": ("""
        tl.store(y_ptr + o, tl.load(x_ptr + o))  # here""", "kernel[(2,)](f32(2047), f32(2048), 9, BLOCK=1024)",
                                    ["8188", "x_ptr", "pass a larger array or mask"]),
    "a result that is too small": ("""
        tl.store(y_ptr + o, tl.load(x_ptr + o))  # here""", "kernel[(2,)](f32(2048), f32(2000), 9, BLOCK=1024)",
                                   ["8000", "y_ptr", "pass a larger array or mask"]),
    "an address below the object": ("""
        tl.store(y_ptr + o, tl.load(x_ptr + o - 1))  # here""", LAUNCH, ["x_ptr"]),
    "one place stored twice": ("""
        tl.store(y_ptr + o // 2, tl.load(x_ptr + o))  # here""", LAUNCH, ["several lanes"]),
    "an exchange": ("""
        tl.atomic_xchg(y_ptr + o, tl.load(x_ptr + o))  # here""", LAUNCH, ["order"]),
    "the old value of an atomic": ("""
        tl.store(x_ptr + o, tl.atomic_add(y_ptr + o, 1.0))  # here""", LAUNCH, ["order"]),
    "a block larger than L1": ("""
        x = tl.load(x_ptr + o)
        tl.store(y_ptr + o, x)""", "kernel[(1,)](f32(1 << 19), f32(1 << 19), 9, BLOCK=1 << 19)",
                               ["L1", "buffer x_ptr: 512 tiles of 4096 bytes", "buffer y_ptr", "smaller blocks"]),
    "an operation Triton does not know": ("""
        tl.store(y_ptr + o, tl.no_such_thing(o))  # here""", LAUNCH, ["no_such_thing"]),
    "shapes Triton refuses": ("""
        tl.store(y_ptr + o, tl.load(x_ptr + tl.arange(0, 64)))  # here""", LAUNCH, ["1024"]),
}


def line_of(words, text):
    """The first line, from 1, that holds the words."""
    return next(number for number, line in enumerate(text.split("\n"), 1) if words in line)


def refused(code, text, words):
    """What every refusal must be; the text that was printed."""
    assert code == 1, text
    for crash in CRASHES:
        assert crash not in text, text
    assert "error" in text or text.startswith("drawloom: "), text
    for word in words:
        assert word in text, text


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_refused_at_its_line(name, tmp_path, capfd, monkeypatch):
    body, launch, words = KERNELS[name]
    path = tmp_path / "case.py"
    # In one process Triton compiles equal texts once, for the first file: the comment makes each its own.
    text = textwrap.dedent(body).strip("\n") + f"\n# {name}"
    path.write_text(HEADER + textwrap.indent(text, "    ") + "\n\n" + launch + "\n")
    line = line_of("# here" if "# here" in body else "def kernel", path.read_text())
    with asking():
        code = script.main([str(path)])
    printed = capfd.readouterr()
    refused(code, printed.err, words)
    if "Triton cannot trace" in printed.err:
        assert f"at {line}:" in printed.err or "# here" in printed.err, printed.err
    else:
        assert re.search(rf"^{re.escape(str(path))}:{line}:\d+: (error|note): ", printed.err, re.MULTILINE), printed.err
        assert printed.err.count(": error: ") == 1, printed.err


GOOD = HEADER + "    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o < n, other=0.0), mask=o < n)\n\n"
SCRIPTS = {
    "launches nothing": (GOOD, [], ["launched no kernel"]),
    "an unknown machine": (GOOD + LAUNCH, ["--machine", "cray"], ["cray", "known machines", "wormhole"]),
    "a machine file that is missing": (GOOD + LAUNCH, ["--machine", "./none.mlir"], ["none.mlir"]),
    "a grid that does not fit": (GOOD + LAUNCH, ["--grid", "9x9"], ["9", "8"]),
    "a grid of nothing": (GOOD + LAUNCH, ["--grid", "0x4"], ["COLUMNSxROWS"]),
    "no grid": (GOOD + LAUNCH, ["--grid", "large"], ["COLUMNSxROWS", "large"]),
    "an unknown fidelity": (GOOD + LAUNCH, ["--fidelity", "perfect"], ["hifi4", "perfect"]),
    "an unknown exponential": (GOOD + LAUNCH, ["--exp", "fast"], ["approximate", "fast"]),
    "an unknown precision": (GOOD + LAUNCH, ["--precision", "perfect"], ["exact", "perfect"]),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_refused(name, tmp_path):
    text, words, expected = SCRIPTS[name]
    path = tmp_path / "case.py"
    path.write_text(text + "\n")
    done = command("run", path, *words)
    refused(done.returncode, done.stderr, expected)


def test_a_script_with_an_error_of_its_own_keeps_its_stack(tmp_path):
    path = tmp_path / "case.py"
    path.write_text(GOOD + LAUNCH + "\n1 / 0\n")
    done = command("run", path)
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr and f'{path}", line' in done.stderr


def test_a_script_that_is_no_python(tmp_path):
    path = tmp_path / "case.py"
    path.write_text("def kernel(:\n")
    done = command("run", path)
    assert done.returncode == 1 and "SyntaxError" in done.stderr and "case.py" in done.stderr


def test_a_missing_script():
    done = command("run", "none.py")
    assert done.returncode != 0 and "no such script: none.py" in done.stderr


def test_a_plain_script_is_refused_without_a_stack(tmp_path):
    """`python case.py`, without the command."""
    path = tmp_path / "case.py"
    path.write_text(HEADER + "    tl.atomic_xchg(y_ptr + o, tl.load(x_ptr + o))\n\n" + LAUNCH + "\n")
    done = subprocess.run([sys.executable, path], check=False, capture_output=True, text=True)
    refused(done.returncode, done.stderr, [f"{path}:12:", "order"])


@pytest.mark.parametrize("words, expected", [
    (["compile", "none.mlir", "--to", "silicon"], ["physical", "silicon"]),
    (["run", "none.mlir"], ["none.mlir"]),
    (["run", "none.ttir", "--launch-grid", "1"], ["none.ttir"]),
    (["run", "none.mlir", "--grid", "8x8x8"], ["COLUMNSxROWS"]),
])
def test_a_command_line_is_refused(words, expected):
    done = command(*words)
    refused(done.returncode, done.stderr, expected)


@pytest.mark.parametrize("words", [[], ["fly"], ["run"], ["run", "a.mlir", "--no-such-option"], ["emit", "a.mlir"]])
def test_an_unknown_command_line_shows_the_help(words):
    done = command(*words)
    assert done.returncode == 1 and "help" in done.stdout + done.stderr


# Programs as files.

MAPPED = """\
tile.program @copy on "wormhole" precision <hifi4, f32> {
  %x = tile.array 0 "x" in : memref<256x256xbf16> layout #tile.tiled
  %y = tile.array 1 "y" out : memref<256x256xbf16> layout #tile.tiled
  tile.grid [8, 8] map [#tile.space<0 on "y" x 8>, #tile.space<1 on "x" x 8>] {
  ^bb0(%i: index, %j: index):
    %t = tile.load %x[%i, %j] affine_map<(i, j, r, c) -> (32 * i + r, 32 * j + c)> : memref<256x256xbf16> -> tensor<32x32xbf16> travel #tile.direct<net 0> hoist 0 depth 1
    tile.store %t, %y[%i, %j] affine_map<(i, j, r, c) -> (32 * i + r, 32 * j + c)> : tensor<32x32xbf16>, memref<256x256xbf16>
  }
}
"""
PHYSICAL = (ROOT / "test" / "Task" / "matmul_64.mlir").read_text()

# Name: (text, replaced by, words of the message, the line at fault).
MAPPED_EDITS = {
    "a mapping that does not cover": ('<0 on "y" x 8>', '<0 on "y" x 4>', ["8", "4"], 4),
    "an unknown machine dimension": ('<1 on "x" x 8>', '<1 on "z" x 8>', ["z"], 4),
    "a grid beyond the arrays": ("[8, 8] map [#tile.space<0 on \"y\" x 8>", "[9, 8] map [#tile.space<0 on \"y\" x 9>",
                                        ["outside the 256 of array", "(8, 0)"], 6),
    "a hoist that is too deep": ("hoist 0", "hoist 5", ["hoisted across 5 loops", "its nest has 0"], 6),
    "a multicast of different tiles": ("#tile.direct<net 0>", '#tile.multicast<along ["x"] senders one net 0>',
                                       ["multicast along", "need different tiles"], 6),
    "a multicast along an idle dimension": ("#tile.direct<net 0>", '#tile.multicast<along ["q"] senders one net 0>',
                                            ["q"], 6),
    "more cores than the machine has": ('#tile.space<0 on "y" x 8>', '#tile.space<0 on "y" x 9>', ["9", "8"], 4),
    "an unknown network": ("net 0", "net 7", ["7"], 6),
    "a buffer without depth": ("depth 1", "depth 0", ["depth"], 6),
    "no travel": (" travel #tile.direct<net 0> hoist 0 depth 1", "", ["travel"], 6),
    "an access beyond the array": ("-> (32 * i + r, 32 * j + c)> : memref<256x256xbf16> ->",
                                   "-> (33 * i + r, 32 * j + c)> : memref<256x256xbf16> ->", ["x"], 6),
    "a plan of another machine": ('on "wormhole"', 'on "torus"', ["torus"], 1),
}


@pytest.mark.parametrize("name", MAPPED_EDITS)
def test_an_edited_plan_is_refused(name, tmp_path):
    old, new, words, line = MAPPED_EDITS[name]
    assert old in MAPPED
    path = tmp_path / "edited.mlir"
    path.write_text(MAPPED.replace(old, new, 1))
    done = command("run", path)
    refused(done.returncode, done.stderr, words)
    assert f"edited.mlir:{line}:" in done.stderr, done.stderr


def test_the_plan_itself_runs(tmp_path):
    path = tmp_path / "plan.mlir"
    path.write_text(MAPPED)
    done = command("run", path, "--check")
    assert done.returncode == 0, done.stderr


PHYSICAL_EDITS = {
    "overlapping buffers": ("at 116736", "at 110592", ["overlaps buffer"], "task.buffer \"b\""),
    "a buffer beyond L1": ("at 124928", "at 1499136", ["bytes of L1"], "task.buffer \"c\""),
    "an id taken twice": ("id 1 at", "id 0 at", ["taken"], "task.buffer \"b\""),
    "a read beyond its array": ("%c4 = arith.constant 4", "%c4 = arith.constant 5", [], ""),
    "a consumer that waits for too much": ("task.wait %c, 4", "task.wait %c, 8", [], ""),
    "a producer that pushes nothing": ("    task.push %c, 4\n", "", [], ""),
    "a program of another engine": ("task.kernel compute {", "task.kernel dm0 network 0 {", [], ""),
}


@pytest.mark.parametrize("name", PHYSICAL_EDITS)
def test_an_edited_physical_program_is_refused(name, tmp_path):
    old, new, words, at = PHYSICAL_EDITS[name]
    assert old in PHYSICAL
    text = PHYSICAL.replace(old, new, 1)
    path = tmp_path / "edited.mlir"
    path.write_text(text)
    done = command("run", path)
    refused(done.returncode, done.stderr, words)
    assert re.search(r"edited\.mlir:\d+:\d+: error: ", done.stderr), done.stderr
    if at:
        assert f"edited.mlir:{line_of(at, text)}:" in done.stderr, done.stderr


def test_a_deadlock_says_who_waits_for_what(tmp_path):
    """Two data movers that wait for each other's semaphore: no static rule of buffers is broken."""
    path = tmp_path / "deadlock.mlir"
    path.write_text("""\
task.program @deadlock on "wormhole" grid [2, 1] precision #tile.precision<hifi4, f32> {
  %s = task.semaphore "turn" id 0
  task.kernel dm0 network 0 {
    %c1 = arith.constant 1 : index
    task.await %s at_least %c1
  }
}
""")
    done = command("run", path)
    refused(done.returncode, done.stderr, ["deadlock", "dm0", "semaphore 'turn'", "(0..1, 0)"])


@pytest.fixture(scope="module")
def traced():
    """The TTIR of one kernel and all files of one program, as bytes to spoil."""
    return {"mlir": [MAPPED.encode(), PHYSICAL.encode()],
            "ttir": [(ROOT / "test" / "Import" / "Triton" / "vector_add.ttir").read_bytes()]}


def run_bytes(tmp_path, content, kind):
    path = tmp_path / f"case.{kind}"
    path.write_bytes(content)
    words = ["--launch-grid", "1", "--arg", "n=20"] if kind == "ttir" else []
    return command("run", path, "--timing-only", *words)


@pytest.mark.parametrize("kind", ["mlir", "ttir"])
@pytest.mark.parametrize("content", [b"", b"\0", b"\xff\xfe\0\1" * 50, b"module {", b"hello", b"module {}\n"])
def test_files_that_hold_no_program(kind, content, tmp_path):
    done = run_bytes(tmp_path, content, kind)
    refused(done.returncode, done.stderr, [])


@pytest.mark.parametrize("kind", ["mlir", "ttir"])
@pytest.mark.parametrize("seed", range(12))
def test_spoilt_files_never_crash(kind, seed, traced, tmp_path):
    """Cut, or with bytes changed: refused, or still a program."""
    chance = random.Random(seed)
    content = bytearray(chance.choice(traced[kind]))
    if seed % 3 == 0:
        del content[chance.randrange(len(content)):]
    else:
        for _ in range(chance.randint(1, 4)):
            content[chance.randrange(len(content))] = chance.choice(b"019(){}[]<>%,x-\n\0")
    done = run_bytes(tmp_path, bytes(content), kind)
    assert done.returncode in (0, 1), done.stderr
    if done.returncode == 1:
        refused(1, done.stderr, [])


# Machines as files.

MACHINE = (ROOT / "machines" / "wormhole.mlir").read_text()


def edited_machine(tmp_path, pattern, replacement):
    text, count = re.subn(pattern, replacement, MACHINE, count=1, flags=re.MULTILINE)
    assert count == 1
    machine, program = tmp_path / "mine.mlir", tmp_path / "plan.mlir"
    machine.write_text(text)
    program.write_text(MAPPED)
    return command("run", program, "--machine", machine)


@pytest.mark.parametrize("pattern, words", [
    (r"^ *bandwidth [^\n]*\n", ["bandwidth"]),
    (r"^ *latency [^\n]*\n", ["latency"]),
])
def test_a_machine_without_a_number_is_refused(pattern, words, tmp_path):
    done = edited_machine(tmp_path, pattern, "")
    refused(done.returncode, done.stderr, words)
    assert "mine.mlir" in done.stderr


def test_a_plan_that_needs_an_engine_the_machine_lacks(tmp_path):
    done = edited_machine(tmp_path, r"^ *df\.engine dm0[^\n]*\n", "")
    refused(done.returncode, done.stderr, ["network 0", "plan.mlir:6:"])
