# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m drawloom.script SCRIPT.py args...`: what `drawloom` runs for a script."""
import json
import os
import runpy
import sys

from drawloom import launches
from drawloom.errors import tell
from drawloom.options import options


def main(arguments: list[str]) -> int:
    """Runs the script as __main__ and returns its exit code. The results of its
    launches are written even when it fails its own check."""
    if not arguments or not os.path.isfile(arguments[0]):
        print(f"drawloom: error: no such script: {' '.join(arguments[:1])}", file=sys.stderr)
        return 1
    results = launches.record()
    try:
        code = _run(arguments)
    finally:
        _write(results)
    if code == 0 and not results:
        print(f"drawloom: error: {arguments[0]} launched no kernel", file=sys.stderr)
        return 1
    # A result that differs from the interpreter's, which the report shows.
    if code == 0 and not all(result.get("passed", True) for result in results):
        return 1
    return code


def _run(arguments: list[str]) -> int:
    """The script's exit code; refusals are printed without a stack."""
    os.environ["TRITON_DEFAULT_BACKEND"] = "drawloom"
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    try:
        runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as exit_:
        return _exit_code(exit_.code)
    except Exception as error:
        if not tell(error):
            raise
        return 1
    return 0


def _exit_code(code) -> int:
    """What Python itself would exit with: None is success, text is an error."""
    if code is None or isinstance(code, int):
        return code or 0
    print(code, file=sys.stderr)
    return 1


def _write(results: list[dict]) -> None:
    """The launches as JSON, to the file the options name ("-": standard output)."""
    path = options().get("json")
    if not path:
        return
    text = json.dumps({"machine": options()["machine"], "options": options(), "launches": results}, indent=2)
    if path == "-":
        print(text)
        return
    with open(path, "w") as file:
        file.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
