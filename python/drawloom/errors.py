# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics as the kernel's author reads them: his line, a caret, the rule."""
import linecache
import re
import sys

# file:line:column: severity: message
LOCATED = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?:error|warning|note|remark): ")


class CompileError(Exception):
    """A kernel Drawloom refuses. `diagnostic` is the compiler's own text; the
    message adds the source line of every location."""

    def __init__(self, diagnostic: str):
        self.diagnostic = diagnostic
        super().__init__(render(diagnostic))


def render(diagnostic: str) -> str:
    """Puts the line a location names, and a caret under its column, below each
    located line that does not have them yet."""
    lines = diagnostic.rstrip("\n").split("\n")
    shown = []
    for text, following in zip(lines, lines[1:] + [""]):
        shown.append(text)
        located = LOCATED.match(text)
        source = located and linecache.getline(located["file"], int(located["line"])).rstrip("\n")
        if source and following.strip() != source.strip():
            shown += [source, _caret(source, int(located["column"]))]
    return "\n".join(shown)


def _caret(source: str, column: int) -> str:
    """A caret under a 1-based column, aligned where the line is indented by tabs."""
    before = source[:max(column - 1, 0)]
    return "".join("\t" if character == "\t" else " " for character in before) + "^"


def hide_traceback() -> None:
    """An uncaught CompileError ends the process with its message alone: the
    stack is the compiler's, not the author's. Other exceptions are untouched."""
    if sys.excepthook is _excepthook:
        return
    global _previous
    _previous, sys.excepthook = sys.excepthook, _excepthook


_previous = sys.__excepthook__


def explain(error: BaseException) -> None:
    """Adds what to do to an error of Triton's that does not say it."""
    if isinstance(error, TypeError) and str(error) == "failed to specialize argument of type: ndarray":
        error.add_note("a numpy array becomes a kernel argument by drawloom.array(x), which shares its memory")


def _excepthook(kind, error, trace):
    explain(error)
    if isinstance(error, CompileError):
        print(error, file=sys.stderr)
    else:
        _previous(kind, error, trace)
