# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each example does at every size, on both chips, what docs/support.md says: it is right, or refused so."""
import pytest
from kernels import families, support

STALE = "docs/support.md says otherwise; where this is better, run scripts/make-support"
ROWS = support.read()


def test_the_table_has_every_case():
    assert list(dict.fromkeys((row.script.removesuffix(".py"), row.arguments) for row in ROWS)) == list(families.cases())
    assert {name for name, _ in families.cases()} == {path.stem for path in families.EXAMPLES.glob("*.py")} - {"common"}
    assert support.page(ROWS) == support.PAGE.read_text()


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("name, words", families.cases(), ids=lambda text: text.replace("--", "").replace(" ", "-"))
def test_an_example_is_as_the_table_says(name, words, machine):
    expected = [row.outcome for row in ROWS if (row.script, row.arguments) == (f"{name}.py", words)]
    assert families.outcomes(name, words, machine=machine, check=True) == expected, STALE
    if any(outcome.state == "wrong" for outcome in expected):
        pytest.xfail("known to be wrong")
