# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example at aligned and ragged sizes, and what becomes of each of its launches."""
import contextlib
import dataclasses
import io
import re
import runpy
import sys
from pathlib import Path

from drawloom import launches
from drawloom.errors import CompileError
from kernels.line import ROOT, asking

EXAMPLES = ROOT / "examples" / "triton"

# The arguments of each example: all ways to call it, sizes that fill tiles and sizes that do not.
CASES = {
    "vector_add": ["--n 4096", "--n 1023"],
    "silu_mul": ["--rows 64 --columns 1024", "--rows 5 --columns 100"],
    "gelu": ["--n 4096", "--n 1023 --approximation tanh"],
    "dropout": ["--n 4096", "--n 1023"],
    "softmax": ["--rows 64 --columns 256", "--rows 7 --columns 7", "--rows 64 --columns 256 --online",
                "--rows 7 --columns 300 --online"],
    "log_softmax": ["--rows 64 --columns 256", "--rows 7 --columns 300"],
    "layernorm": ["--rows 64 --columns 256", "--rows 7 --columns 300"],
    "layernorm_backward": ["--rows 64 --columns 256", "--rows 60 --columns 300"],
    "rmsnorm": ["--rows 64 --columns 256", "--rows 7 --columns 300"],
    "group_norm": ["--channels 64 --groups 2 --pixels 64", "--channels 60 --groups 3 --pixels 49"],
    "rope": ["--positions 64", "--positions 50", "--positions 64 --pairing interleaved",
             "--positions 50 --pairing interleaved"],
    "cross_entropy": ["--rows 64 --classes 256", "--rows 7 --classes 300"],
    "cumsum": ["--rows 64 --columns 256", "--rows 7 --columns 300", "--rows 64 --columns 256 --axis 0",
               "--rows 100 --columns 70 --axis 0"],
    "linear_scan": ["--steps 128 --channels 64", "--steps 100 --channels 70"],
    "reductions": [f"{sizes} --operation {operation} --axis {axis}" for operation in ("sum", "max", "argmax")
                   for axis in (0, 1) for sizes in ("--rows 64 --columns 128", "--rows 70 --columns 100")],
    "transpose": ["--rows 128 --columns 256", "--rows 100 --columns 70"],
    "embedding": ["--tokens 64 --columns 128", "--tokens 50 --columns 100"],
    "causal_conv1d": ["--length 128 --channels 64", "--length 100 --channels 70"],
    "matmul": ["--m 128 --n 256 --k 128", "--m 100 --n 70 --k 40"],
    "matmul_2d": ["--m 128 --n 256 --k 128", "--m 8 --n 1 --k 64"],
    "matmul_descriptor": ["--m 128 --n 256 --k 128", "--m 100 --n 70 --k 40"],
    "matmul_transposed": ["--m 128 --n 256 --k 64 --ta", "--m 33 --n 65 --k 97 --tb"],
    "matmul_epilogue": ["--m 128 --n 256 --k 128", "--m 33 --n 65 --k 97 --activation gelu",
                        "--m 33 --n 65 --k 97 --activation leaky_relu --residual"],
    "matmul_persistent": ["--m 256 --n 256 --k 128 --programs 8", "--m 200 --n 320 --k 96 --programs 7"],
    "bmm": ["--batch 2 --m 128 --n 64 --k 64", "--batch 3 --m 100 --n 70 --k 40"],
    "split_k": ["--k 512", "--m 60 --n 50 --k 300", "--k 512 --atomic", "--m 60 --n 50 --k 300 --atomic"],
    "mlp": ["--rows 128", "--rows 100 --inputs 70 --hidden 100 --outputs 50"],
    "dequant": ["--m 32 --n 128 --bits 8", "--m 8 --n 100 --k 200 --bits 8", "--m 32 --n 128 --bits 4",
                "--m 8 --n 100 --bits 4"],
    "grouped_gemm": ["--rows 128", "--rows 100 --n 70 --k 40"],
    "conv2d": ["--channels 32", "--images 2 --height 9 --width 7 --channels 64 --outputs 40 --stride 2"],
    "moe": ["--tokens 64", "--tokens 50 --n 70 --k 40"],
    "attention": ["--positions 128", "--positions 100", "--positions 128 --causal",
                  "--positions 100 --causal --heads 4 --kv-heads 2", "--positions 64 --head-dim 128",
                  "--positions 50 --head-dim 96"],
    "decode": ["--positions 256 --heads 64", "--positions 200 --heads 32"],
    "paged_decode": ["--positions 128 --heads 64", "--positions 100 --heads 32"],
    "attention_backward": ["--positions 64", "--positions 50 --causal"],
    "ssd": ["--length 128", "--length 100 --heads 4 --groups 2"],
}
# These are always of bf16.
ONE_TYPE = {"matmul"}


def cases() -> list[tuple[str, str]]:
    """All (example, arguments), those of both element types twice."""
    return [(name, words + dtype) for name, rows in CASES.items() for words in rows
            for dtype in ([""] if name in ONE_TYPE else [" --dtype bf16", " --dtype f32"])]


@dataclasses.dataclass
class Outcome:
    """What becomes of one kernel of an example: it "runs" and is right, it runs and the example's results are
    "wrong", it "imports" (the interpreter computes it, no machine does) or it is "refused". If it does not run: the
    line and the reason."""
    kernel: str
    state: str = "runs"
    line: int | None = None
    reason: str | None = None


def run(name, words, **asked) -> tuple[list[dict], list[Outcome], int | None]:
    """Runs an example in this process, past launches that do not run: their reports, what became of each kernel, and
    the example's exit code."""
    path = EXAMPLES / f"{name}.py"
    found: dict[str, Outcome] = {}
    code = None
    with asking(**asked), arguments(path, words), _refusals(path, found), contextlib.redirect_stdout(io.StringIO()):
        reports = launches.record()
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as done:
            code = done.code
    return reports, list(found.values()), code


def outcomes(name, words, **asked) -> list[Outcome]:
    """What becomes of an example's kernels. Its results are right if its own check says so, and the interpreter where
    it is asked."""
    reports, found, code = run(name, words, **asked)
    complete = all(outcome.state != "refused" for outcome in found)
    # What follows a refused kernel works on nothing.
    right = not complete or code == 0 and all(report.get("passed", True) for report in reports)
    for outcome in found:
        if outcome.state == "runs" and not right:
            outcome.state = "wrong"
    return found


@contextlib.contextmanager
def arguments(path, words):
    """The command line of an example, as its process would see it."""
    before = sys.argv, list(sys.path)
    sys.argv = [str(path), *words.split()]
    sys.path.insert(0, str(path.parent))
    try:
        yield
    finally:
        sys.argv, sys.path[:] = before


@contextlib.contextmanager
def _refusals(path, found):
    """Keeps what becomes of each kernel in `found` instead of raising refusals. What does not run is interpreted,
    so that launches after it get its results."""
    run = launches.launch

    def launch(kernel, *arguments):
        found.setdefault(kernel, Outcome(kernel))
        try:
            run(kernel, *arguments)
        except CompileError as error:
            found[kernel] = Outcome(kernel, "imports", *place_and_reason(path, error.diagnostic))
            try:
                with asking(command="interpret"):
                    run(kernel, *arguments)
            except CompileError:
                found[kernel].state = "refused"

    launches.launch = launch
    try:
        yield
    finally:
        launches.launch = run


def place_and_reason(path: Path, diagnostic: str) -> tuple[int | None, str]:
    """The first line of the script at `path` that the error or its notes name, and the error's text."""
    line = re.search(rf"^{re.escape(str(path))}:(\d+):", diagnostic, re.MULTILINE)
    reason = re.search(r": error: (.*)", diagnostic)
    # Which core met it first is no part of the reason.
    text = re.sub(r"of core \(\d+, \d+\)", "of a core", reason[1] if reason else diagnostic.strip())
    return int(line[1]) if line else None, text
