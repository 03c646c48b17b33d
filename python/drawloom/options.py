# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command line asked for: one JSON object in DRAWLOOM_OPTIONS."""
import functools
import json
import os

DEFAULTS = {"command": "run", "machine": "wormhole"}


@functools.cache
def options() -> dict:
    """The options of this process; DEFAULTS where a script runs by itself."""
    text = os.environ.get("DRAWLOOM_OPTIONS")
    if not text:
        return dict(DEFAULTS)
    try:
        given = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"DRAWLOOM_OPTIONS is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise TypeError("DRAWLOOM_OPTIONS must be a JSON object")
    return DEFAULTS | given


def has_values() -> bool:
    """Whether a launch stores results. False while planning, compiling,
    emitting or timing only: arrays are then left as they were, and a script
    should skip its checks."""
    return options()["command"] in ("run", "interpret") and not options().get("timing_only", False)


def shows_reports() -> bool:
    """Whether each launch prints its report: always under `drawloom`, on
    DRAWLOOM_REPORT=1 where a script runs by itself, and never into the JSON
    that standard output carries."""
    if options().get("json") == "-":
        return False
    return "DRAWLOOM_OPTIONS" in os.environ or os.environ.get("DRAWLOOM_REPORT") == "1"
