# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for the compiled module, so that the plug-in is tested by itself."""
import json
import sys
import types
from pathlib import Path

import pytest
from drawloom import launches
from drawloom.options import options

ROOT = Path(__file__).resolve().parents[2]


class FakeNative(types.ModuleType):
    """Keeps what it is given; `answer` computes the result of a launch."""

    class CompileError(Exception):
        pass

    def __init__(self):
        super().__init__("drawloom._native")
        self.calls = []
        self.answer = lambda call: {}

    def launch(self, kernel, ttir, grid, arguments, options_json):
        call = types.SimpleNamespace(kernel=kernel, ttir=ttir, grid=grid, arguments=arguments,
                                     options=json.loads(options_json))
        self.calls.append(call)
        result = {"kernel": kernel, "grid": grid, "estimate_us": 1.0, "simulated_us": 2.0, "report": f"<{kernel}>"}
        return json.dumps(result | self.answer(call))


@pytest.fixture
def native(monkeypatch):
    fake = FakeNative()
    monkeypatch.setitem(sys.modules, "drawloom._native", fake)
    return fake


@pytest.fixture
def asked(monkeypatch):
    """Sets the options of the command line for one test."""

    def ask(**given):
        monkeypatch.setenv("DRAWLOOM_OPTIONS", json.dumps(given))
        options.cache_clear()

    yield ask
    monkeypatch.undo()
    options.cache_clear()


@pytest.fixture(autouse=True)
def nothing_recorded(monkeypatch):
    monkeypatch.setattr(launches, "_recorded", None)
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(sys, "path", list(sys.path))
