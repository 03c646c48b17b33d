# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How lit runs the tests: RUN lines in .mlir files, with the build's tools.
import os

import lit.formats

config.name = "drawloom"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".ttir", ".cu", ".test"]
config.excludes = ["Inputs", "python", "vendor"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.binary_dir, "test")
config.substitutions.append(("%machines", config.machines_dir))
config.environment["DRAWLOOM_MACHINES"] = config.machines_dir
config.environment["PATH"] = os.pathsep.join(
    [config.tools_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
