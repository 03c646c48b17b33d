# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the pieces of the stand-in compiler are."""
import glob
import pathlib

TOOLCHAIN = pathlib.Path(__file__).resolve().parent
# Our versions of the vendor's SFPU headers: its own are written in a C++
# extension (sfpi) that only Tenstorrent's compiler has.
SFPU = TOOLCHAIN.parent / "sfpu"
ENVIRONMENT = TOOLCHAIN.parents[2] / ".venv-vendor"
BUILT = ENVIRONMENT / "toolchain"
OVERLAY = BUILT / "overlay.yaml"

CLANG = "clang++-22"
GCC = "riscv64-unknown-elf-g++"
LD = "riscv64-unknown-elf-ld"
PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf/include"


def one(pattern):
    """The last path that matches, or an error that names the pattern."""
    found = sorted(glob.glob(str(pattern)))
    if not found:
        raise SystemExit(f"vendor toolchain: nothing matches {pattern}")
    return found[-1]


def ttnn():
    """The directory of the installed ttnn package."""
    return pathlib.Path(one(ENVIRONMENT / "lib/python3.*/site-packages/ttnn"))


def libstdcxx():
    """libstdc++'s headers: those of every target, then the host's bits."""
    return ["/usr/include/c++/12", one("/usr/include/*-linux-gnu/c++/12")]


def libgcc():
    """64-bit arithmetic and floats in software, for the cores' rv32im."""
    return one("/usr/lib/gcc/riscv64-unknown-elf/*/rv32im/ilp32/libgcc.a")
