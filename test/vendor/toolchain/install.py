# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the stand-in's parts into the environment and puts it in the wheel."""
import json
import os
import shutil
import subprocess

import places
from command_line import Request
from compile import compile_command

CHIPS = {"blackhole": "tt-bh", "wormhole": "tt-wh"}


def write_overlay(ttnn):
    """The "n" constraint of `.ttinsn %0` wants a number before clang's
    optimiser has folded one; "i" means the same and is checked later. Clang
    reads the changed headers in place of the wheel's."""
    files = []
    for chip in ("blackhole", "wormhole_b0"):
        header = ttnn / f"tt_metal/tt-llk/tt_llk_{chip}/common/inc/ckernel_ops.h"
        changed = places.BUILT / f"ckernel_ops_{chip}.h"
        text = header.read_text().replace('".ttinsn %0" ::"n"(', '".ttinsn %0" ::"i"(')
        changed.write_text(text)
        files.append(
            {"type": "file", "name": str(header), "external-contents": str(changed)}
        )
    overlay = {"version": 0, "use-external-names": False, "roots": files}
    places.OVERLAY.write_text(json.dumps(overlay, indent=1))


def firmware_request(ttnn, chip, source, output):
    """A compilation like the runtime's own of its data movement firmware."""
    hardware = ttnn / "tt_metal/hw/inc/internal/tt-1xx"
    include = [
        ttnn,
        ttnn / "tt_metal/hw/inc",
        ttnn / "tt_metal/hostdevcommon/api",
        ttnn / "tt_metal/tt-llk/common",
        ttnn / "tt_metal/api",
        hardware,
        hardware / chip,
        hardware / chip / f"{chip}_defines",
        hardware / chip / f"{chip}_b0_defines",
        hardware / chip / "noc",
    ]
    macros = [
        f"ARCH_{chip.upper()}",
        "COMPILE_FOR_BRISC",
        "FW_BUILD",
        "TENSIX_FIRMWARE",
        "PROCESSOR_INDEX=0",
        "PROGRAMMABLE_CORE_TYPE=0",
    ]
    return Request(
        ["-Os", f"-mcpu={CHIPS[chip]}", "-c", "-o", str(output)]
        + [f"-I{path}" for path in include]
        + [f"-D{macro}" for macro in macros]
        + [str(source)]
    )


def build_objects(ttnn, chip):
    """The objects of which the wheel has GCC's intermediate code only."""
    firmware = ttnn / "tt_metal/hw/firmware/src/tt-1xx"
    sources = {
        "substitutes": ttnn / "tt_metal/hw/toolchain/substitutes.cpp",
        "noc": firmware / chip / "noc.c",
        "tdma_xmov": firmware / "tdma_xmov.c",
    }
    built = places.BUILT / chip
    built.mkdir(parents=True, exist_ok=True)
    for name, source in sources.items():
        if not source.exists():
            continue
        copy = built / f"{name}.cpp"  # C++ in a file named .c
        shutil.copy(source, copy)
        request = firmware_request(ttnn, chip, copy, built / f"{name}.o")
        subprocess.run(compile_command(request), check=True)
    subprocess.run(
        ["clang-22", "--target=riscv32-unknown-elf", "-march=rv32im", "-mabi=ilp32"]
        # Without -fno-builtin the loops of memset would become calls of memset.
        + ["-Os", "-ffreestanding", "-fno-builtin", "-ffunction-sections"]
        + ["-c", str(places.TOOLCHAIN / "support.c"), "-o", str(built / "support.o")],
        check=True,
    )


def replace_compiler(ttnn):
    directory = ttnn / "runtime/sfpi/compiler/bin"
    directory.mkdir(parents=True, exist_ok=True)
    compiler = directory / "riscv-tt-elf-g++"
    compiler.unlink(missing_ok=True)
    os.symlink(places.TOOLCHAIN / "compiler.py", compiler)


def main():
    ttnn = places.ttnn()
    places.BUILT.mkdir(parents=True, exist_ok=True)
    write_overlay(ttnn)
    for chip in CHIPS:
        build_objects(ttnn, chip)
    replace_compiler(ttnn)


if __name__ == "__main__":
    main()
