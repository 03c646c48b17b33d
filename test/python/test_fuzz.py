# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A short run of the random kernels."""
import pytest
from drawloom import CompileError
from fuzz_kernels import check_machine, check_meaning
from kernels.random_kernels import FAMILIES, random_case


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("family", FAMILIES)
def test_random_kernels(family, seed):
    case = random_case(family, seed)
    try:
        check_meaning(case)
    except CompileError:
        pytest.skip("refused by the import")
    check_machine(case, "wormhole")
