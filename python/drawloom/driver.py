# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's driver plug-in: a launch hands TTIR, grid and arguments to Drawloom."""
import atexit
import operator
import shutil
import sys
import tempfile
from types import SimpleNamespace

import triton
from triton.backends.driver import DriverBase

from drawloom import launches
from drawloom.arguments import describe
from drawloom.compiler import TARGET
from drawloom.errors import CompileError, hide_traceback
from drawloom.stopwatch import stopwatch


class Launcher:
    """One traced kernel, ready to launch. Triton makes it and calls it."""

    def __init__(self, source, metadata):
        self.kernel = metadata.name
        self.parameters = list(source.signature.items())

    def __call__(self, x, y, z, stream, ttir, kernel_metadata, launch_metadata, enter_hook, exit_hook, *values):
        grid = tuple(map(operator.index, (x, y, z)))
        if 0 in grid:
            return  # no program to run, as on a GPU
        arguments = describe(self.parameters, values)
        if enter_hook is not None:
            enter_hook(launch_metadata)
        launches.launch(self.kernel, ttir, grid, arguments)
        if exit_hook is not None:
            exit_hook(launch_metadata)


class Driver(DriverBase):
    """One device, one stream, no hardware."""
    launcher_cls = Launcher

    def __init__(self):
        super().__init__()
        _own_cache()
        hide_traceback()
        self.utils = SimpleNamespace(
            get_device_properties=lambda device: {"max_shared_mem": sys.maxsize},
            load_binary=_load_binary,
            unload_module=lambda module: None,
        )

    @classmethod
    def is_active(cls) -> bool:
        """Always: where a GPU's driver is active too, TRITON_DEFAULT_BACKEND
        says which is meant (`drawloom run` sets it)."""
        return True

    def get_current_target(self):
        return TARGET

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        pass

    def get_current_stream(self, device: int) -> int:
        return 0

    def get_active_torch_device(self):
        import torch
        return torch.device("cpu")

    def get_benchmarker(self):
        return benchmark

    # What triton.testing.do_bench measures with.
    def get_device_interface(self):
        return stopwatch.idle()

    def get_empty_cache_for_benchmark(self):
        return None

    def clear_cache(self, cache):
        stopwatch.clear_cache()

    def map_python_to_cpp_type(self, ty: str) -> str:
        raise NotImplementedError("Drawloom's launcher generates no C++")


def benchmark(kernel_call, *, quantiles=None, **_):
    """What the autotuner measures with: simulated milliseconds, which one call
    tells exactly, for each quantile. A configuration that Drawloom refuses is
    infinitely slow; if all are, the launch that follows reports why."""
    with launches.measuring() as times:
        try:
            kernel_call()
            milliseconds = sum(times) / 1000
        except CompileError:
            milliseconds = float("inf")
    return milliseconds if quantiles is None else [milliseconds] * len(quantiles)


def _load_binary(name: str, ttir: bytes, shared: int, device: int) -> tuple:
    """What Triton keeps of a loaded kernel: module, function, registers, spills,
    threads. Our function is the TTIR's text."""
    return None, ttir.decode(), 0, 0, sys.maxsize


def _own_cache() -> None:
    """Gives Triton a cache that lives as long as this process. A kept one is
    keyed on a kernel's text but not on its file, so its locations could name a
    file that moved. As nothing else shares the cache, its keys need not hash
    Triton's own 400 MB either."""
    directory = tempfile.mkdtemp(prefix="drawloom-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    triton.knobs.cache.dir = directory
    triton.runtime.cache.triton_key = lambda: triton.__version__
