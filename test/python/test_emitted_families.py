# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example and every kernel of the corpus is emitted, and its kernels compile against the vendor's headers and fit into a core.

What has compiled once is not compiled again (test/vendor/compile): the first run takes minutes, later ones what
emitting takes.
"""
import subprocess
import sys

import pytest
from kernels import corpus, emitted, families, support
from kernels.corpus import outcomes

if not emitted.is_installed():
    pytest.skip("the vendor's headers are not installed (test/vendor/setup)", allow_module_level=True)

MACHINES = ("wormhole", "blackhole")
RUN = {(row.script, row.arguments) for row in support.read() if row.outcome.state in ("runs", "wrong")}


def parts(kinds, default):
    """The machines with the kinds of launches; all but the default ones are slow."""
    return [pytest.param(machine, kind, marks=() if (machine, kind) in default else pytest.mark.slow)
            for machine in MACHINES for kind in kinds]


def cases(dtype):
    rows = [(name, words) for name, words in families.cases() if (f"{name}.py", words) in RUN]
    return [row for row in rows if row[0] in families.ONE_TYPE or row[1].endswith(dtype)]


def compiles(programs, machine):
    command = [sys.executable, emitted.VENDOR / "compile", *programs, "--arch", machine]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# By default every row of the table once, each on one of the chips.
@pytest.mark.parametrize("machine, dtype", parts(("bf16", "f32"), {("wormhole", "bf16"), ("blackhole", "f32")}))
def test_every_kernel_compiles_and_fits(machine, dtype, tmp_path):
    compiles([program for i, (name, words) in enumerate(cases(dtype))
              for program in emitted.emit(name, words, tmp_path / f"{i}-{name}", machine=machine)], machine)


@pytest.mark.parametrize("machine, sizes", parts(outcomes.SIZES, {("wormhole", "aligned"), ("blackhole", "ragged")}))
def test_every_published_kernel_compiles_and_fits(machine, sizes, tmp_path):
    directories = []
    for name in corpus.CASES:
        if (f"corpus/{corpus.file_of(name)}", f"{name}, {sizes}") in RUN:
            directories.append(tmp_path / name)
            outcomes.launched(name, sizes, machine=machine, command="emit", emit=str(directories[-1]))
    compiles(directories, machine)
