# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The clang command that compiles one source of the runtime or of a kernel."""
import os

import places

# What the cores implement. Blackhole's add atomics and address arithmetic.
MARCH = {"wormhole": "rv32im", "blackhole": "rv32im_zaamo_zba_zbb"}

LANGUAGE = [
    # The vendor's sources are C++17 plus GCC extensions that C++20 adopted.
    "-std=c++20",
    # There is no runtime for any of these on the cores.
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fno-use-cxa-atexit",
    # Warnings about the vendor's code are not ours to mend.
    "-w",
    # GCC's int32_t is a long on rv32, and the vendor overloads on that.
    "-U__UINT32_TYPE__",
    "-D__UINT32_TYPE__=long unsigned int",
    "-U__INT32_TYPE__",
    "-D__INT32_TYPE__=long int",
]

CODE = [
    "--target=riscv32-unknown-elf",
    "-mabi=ilp32",
    # Kernels are linked at fixed addresses below 2 GiB.
    "-fno-pic",
    "-mcmodel=medlow",
    # The linker scripts have no .sdata and no .eh_frame, and .rodata is copied
    # to a few KiB of local memory: no tables there.
    "-msmall-data-limit=0",
    "-fno-asynchronous-unwind-tables",
    "-fno-jump-tables",
    # Unused firmware must not fill the instruction memory (--gc-sections).
    "-ffunction-sections",
    # The start-up code clears memory before a call to memset may be made.
    "-fno-builtin-memset",
]


def include_path():
    own = places.TOOLCHAIN / "include"
    system = [own, *places.libstdcxx(), places.PICOLIBC]
    return ["-I", str(places.SFPU), "-nostdinc++"] + [
        part for path in system for part in ("-isystem", str(path))
    ]


def tensix_macros(request):
    """The macros by which the vendor's headers know the compiler's target."""
    if not request.is_tensix:
        return []
    suffix = "bh" if request.chip == "blackhole" else "wh"
    return ["-D__riscv_xtttensix=1", f"-D__riscv_xtttensix{suffix}=1"]


def compile_command(request):
    if any(os.path.basename(path) == "erisc-crt0.cc" for path in request.inputs):
        return naked_function_command(request)
    return [
        places.CLANG,
        request.optimization,
        f"-march={MARCH[request.chip]}",
        *CODE,
        *LANGUAGE,
        *tensix_macros(request),
        # ckernel_ops.h, with one constraint that clang reads differently.
        "-ivfsoverlay",
        str(places.OVERLAY),
        # Defines the .ttinsn directive, which only Tenstorrent's assembler has.
        "-include",
        str(places.TOOLCHAIN / "include/ttinsn.h"),
        *include_path(),
        *request.preprocessor,
        *outputs(request),
        *request.inputs,
    ]


def naked_function_command(request):
    """Wormhole's Ethernet start-up code has statements in a naked function:
    clang refuses them, GCC does not. It holds no Tensix instruction."""
    return [
        places.GCC,
        request.optimization,
        "-std=c++20",
        "-march=rv32im",
        "-mabi=ilp32",
        "-fno-exceptions",
        "-fno-rtti",
        "-w",
        *include_path(),
        *request.preprocessor,
        *outputs(request),
        *request.inputs,
    ]


def outputs(request):
    files = ["-c", "-o", request.output]
    if request.dependency_file:
        files += ["-MMD", "-MF", request.dependency_file]
    return files
