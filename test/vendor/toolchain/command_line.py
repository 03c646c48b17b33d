# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the vendor's runtime asks of its compiler, read from the command line."""


class Request:
    """One invocation. Options that only GCC knows (-ftt-*, -flto, --param,
    warnings, -g, -std) are dropped; everything that changes the meaning of the
    sources or of the link is kept."""

    def __init__(self, arguments):
        self.cpu = ""  # tt-wh, tt-wh-tensix, tt-bh or tt-bh-tensix
        self.optimization = "-O2"
        self.output = None
        self.dependency_file = None
        self.compiles = False
        self.linker_script = None
        self.preprocessor = []  # -I, -D, -include, -isystem in their order
        self.linker_options = []
        self.inputs = []
        self.precompiles_header = "c++-header" in arguments
        rest = iter(arguments)
        for argument in rest:
            self._read(argument, rest)

    def _read(self, argument, rest):
        if argument in ("-I", "-D", "-include", "-isystem"):
            self.preprocessor += [argument, next(rest)]
        elif argument.startswith(("-I", "-D")):
            self.preprocessor.append(argument)
        elif argument == "-o":
            self.output = next(rest)
        elif argument == "-MF":
            self.dependency_file = next(rest)
        elif argument == "-x":
            next(rest)
        elif argument == "-c":
            self.compiles = True
        elif argument.startswith("-mcpu="):
            self.cpu = argument.removeprefix("-mcpu=")
        elif argument.startswith("-O"):
            self.optimization = argument
        elif argument.startswith("-Wl,"):
            self.linker_options += argument.removeprefix("-Wl,").split(",")
        elif argument.startswith("-T"):
            self.linker_script = argument.removeprefix("-T")
        elif not argument.startswith("-"):
            self.inputs.append(argument)

    @property
    def chip(self):
        return "blackhole" if "bh" in self.cpu else "wormhole"

    @property
    def is_tensix(self):
        """Whether the code runs on a compute core's RISC-V (it may then issue
        Tensix instructions)."""
        return self.cpu.endswith("-tensix")
