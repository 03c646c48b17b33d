# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example is emitted, and its kernels compile against the vendor's headers and fit into a core.

What has compiled once is not compiled again (test/vendor/compile): the first run takes minutes, later ones what
emitting takes.
"""
import subprocess
import sys

import pytest
from kernels import emitted, families, support

if not emitted.is_installed():
    pytest.skip("the vendor's headers are not installed (test/vendor/setup)", allow_module_level=True)

# By default every row of the table in both types, each on one of the chips. The rest is slow.
DEFAULT = {("wormhole", "bf16"), ("blackhole", "f32")}
PARTS = [pytest.param(machine, dtype, marks=() if (machine, dtype) in DEFAULT else pytest.mark.slow)
         for machine in ("wormhole", "blackhole") for dtype in ("bf16", "f32")]


def cases(dtype):
    refused = {(row.script.removesuffix(".py"), row.arguments) for row in support.read()
               if row.outcome.state not in ("runs", "wrong")}
    rows = [row for row in families.cases() if row not in refused]
    return [row for row in rows if row[0] in families.ONE_TYPE or row[1].endswith(dtype)]


@pytest.mark.parametrize("machine, dtype", PARTS)
def test_every_kernel_compiles_and_fits(machine, dtype, tmp_path):
    programs = [program for i, (name, words) in enumerate(cases(dtype))
                for program in emitted.emit(name, words, tmp_path / f"{i}-{name}", machine=machine)]
    command = [sys.executable, emitted.VENDOR / "compile", *programs, "--arch", machine]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
