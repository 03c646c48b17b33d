# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as people publish them, each with launches at sizes that fill tiles and at sizes that do not."""
from kernels.corpus import attention, lanes, products, rows

FILES = {"rows.py": rows, "products.py": products, "attention.py": attention, "lanes.py": lanes}
CASES = {name: case for module in FILES.values() for name, case in module.CASES.items()}


def file_of(name: str) -> str:
    """The file of this package that a case stands in."""
    return next(file for file, module in FILES.items() if name in module.CASES)
