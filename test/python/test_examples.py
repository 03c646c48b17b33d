# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example traces to kernels whose operations have the example's lines."""
import re

import pytest
from conftest import ROOT
from drawloom import script

EXAMPLES = sorted(path for path in (ROOT / "examples" / "triton").glob("*.py") if path.stem != "common")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_traces(path, native, asked, capsys):
    asked(command="plan")
    assert script.main([str(path)]) == 0
    assert native.calls
    for call in native.calls:
        assert f"tt.func public @{call.kernel}(" in call.ttir
        assert call.ttir.count("tt.func") == 1  # everything inlined
        assert re.search(rf'loc\("{re.escape(str(path))}":\d+:\d+\)', call.ttir)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_notices_wrong_results(path, native, asked, capsys):
    """The stand-in stores nothing, so the check must fail."""
    asked(command="run")
    assert script.main([str(path)]) == 1
    assert "largest error" in capsys.readouterr().out


@pytest.mark.parametrize("flags, strides", [([], (True, True)), (["--ta"], (False, True)), (["--tb"], (True, False))])
def test_a_transposed_operand_is_a_matter_of_strides(flags, strides, native, asked):
    asked(command="plan")
    script.main([str(ROOT / "examples/triton/matmul_transposed.py"), *flags])
    kinds = {argument[0]: argument[1] for argument in native.calls[0].arguments}
    assert (kinds["stride_ak"] == "constexpr", kinds["stride_bn"] == "constexpr") == strides
