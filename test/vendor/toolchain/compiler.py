#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for Tenstorrent's riscv-tt-elf-g++, which no package ships.

The vendor's runtime compiles every kernel when it is launched. This program
takes its place: it reads the runtime's command line, keeps what clang and GNU
ld understand (see command_line.py) and runs those instead (compile.py, link.py).
"""
import subprocess
import sys

from command_line import Request
from compile import compile_command
from link import link_command

# The runtime refuses to start unless the compiler answers with this text.
VERSION = """\
riscv-tt-elf-g++ (tenstorrent/sfpi:7.89.0[1050]) 15.1.0
Copyright (C) 2025 Free Software Foundation, Inc."""


def main(arguments):
    if arguments == ["--version"]:
        print(VERSION)
        return 0
    request = Request(arguments)
    if request.precompiles_header:
        # clang's precompiled headers do not fit the runtime's cache; told that
        # there are none, it includes the headers as usual.
        return 1
    command = compile_command(request) if request.compiles else link_command(request)
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
