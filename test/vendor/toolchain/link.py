# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GNU ld command that links one firmware or kernel image."""
import os

import places


def link_command(request):
    if os.path.basename(request.linker_script).startswith("erisc-b0-app"):
        return ["cp", ethernet_image(), request.output]
    built = places.BUILT / request.chip
    return [
        places.LD,
        "-m",
        "elf32lriscv",
        # Relaxation turns far calls (auipc + jalr ra, ra) into jal: wolfpine
        # 2.2 reads jalr's target after it wrote the link register.
        "--relax",
        "--gc-sections",
        "-T",
        request.linker_script,
        *request.linker_options,
        "-o",
        request.output,
        *(replacement(path, built) for path in request.inputs),
        str(built / "support.o"),
        places.libgcc(),
    ]


def replacement(path, built):
    """The wheel's objects under runtime/hw/lib hold GCC's intermediate code
    only; install.py compiled the same sources."""
    own = built / os.path.basename(path)
    return str(own) if "/runtime/hw/lib/" in path and own.exists() else path


def ethernet_image():
    """Wormhole's Ethernet firmware: the wheel lacks a file its linker script
    includes, but ships the image. No program here uses that core."""
    return places.one(places.ttnn() / "tt_metal/pre-compiled/*/erisc/erisc.elf")
