# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a script on the vendor's runtime and leaves without its 5 s farewell.

At a normal exit the runtime waits out a 5 s timeout of its connection to the
simulator, half the time of a small program. The script has closed its device
and written its files by then, so the process ends at once.
"""
import os
import pathlib
import runpy
import sys
import traceback


def status_of(script):
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return int(end.code or 0)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


sys.argv = sys.argv[1:]
sys.path[0] = str(pathlib.Path(sys.argv[0]).resolve().parent)
status = status_of(sys.argv[0])
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)
