# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics as the kernel's author reads them: his line, a caret, the rule."""
import linecache
import re
import sys
import warnings

# file:line:column: severity: message
LOCATED = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?:error|warning|note|remark): ")


class CompileError(Exception):
    """A kernel Drawloom refuses. `diagnostic` is the compiler's own text; the
    message adds the source line of every location."""

    def __init__(self, diagnostic: str):
        self.diagnostic = diagnostic
        super().__init__(render(diagnostic))


class CompileWarning(UserWarning):
    """What Drawloom leaves out or decides without being asked, at the kernel's line."""


WARNING = re.compile(r"^(?P<file>.+?):(?P<line>\d+):\d+: warning: (?P<text>.*)$", re.MULTILINE)
# Places that have been warned of, for Python's "once a place".
_warned: dict = {}


def warn(diagnostics: str) -> None:
    """Python warnings at the kernel's lines."""
    for found in WARNING.finditer(diagnostics):
        warnings.warn_explicit(found["text"], CompileWarning, found["file"], int(found["line"]), registry=_warned)


def launch_site() -> str:
    """A note at the line of the author's script that launches: the innermost one
    that is neither ours nor Triton's or Helion's."""
    frame = sys._getframe(1)
    while frame and frame.f_globals.get("__name__", "").split(".")[0] in ("drawloom", "triton", "helion"):
        frame = frame.f_back
    if frame is None:
        return ""
    file, line = frame.f_code.co_filename, frame.f_lineno
    source = linecache.getline(file, line)
    column = len(source) - len(source.lstrip()) + 1
    return f"{file}:{line}:{column}: note: launched here\n"


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
    """An uncaught refusal, ours or Triton's, ends the process with its message
    alone: the stack is the compiler's, not the author's. Other exceptions are
    untouched."""
    if sys.excepthook is _excepthook:
        return
    global _previous
    _previous, sys.excepthook = sys.excepthook, _excepthook


_previous = sys.__excepthook__


def _excepthook(kind, error, trace):
    if not tell(error):
        _previous(kind, error, trace)


def tell(error: BaseException) -> bool:
    """Prints a refusal without its stack. False if the error is no refusal; it
    then has a note on what to do where it does not say so itself."""
    if isinstance(error, CompileError):
        print(error, file=sys.stderr)
    elif _is_front_end_error(error):
        print("error: Triton cannot trace this kernel", file=sys.stderr)
        while error is not None:  # from the call in the kernel down to the cause
            print(error, file=sys.stderr)
            error = error.__cause__
    else:
        _explain(error)
        return False
    return True


def _is_front_end_error(error: BaseException) -> bool:
    errors = sys.modules.get("triton.compiler.errors")
    return errors is not None and isinstance(error, errors.CompilationError)


def _explain(error: BaseException) -> None:
    if isinstance(error, TypeError) and str(error) == "failed to specialize argument of type: ndarray":
        error.add_note("a numpy array becomes a kernel argument by drawloom.array(x), which shares its memory")
