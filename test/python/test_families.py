# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each example and each kernel of the corpus does at every size, on both chips, what docs/support.md says: it is right,
or refused so."""
import pytest
from kernels import corpus, families, support
from kernels.corpus import outcomes

STALE = "docs/support.md says otherwise; where this is better, run scripts/make-support"
ROWS = support.read()


def test_the_table_has_every_case():
    cases = [(f"{name}.py", words) for name, words in families.cases()]
    cases += [(f"corpus/{corpus.file_of(name)}", f"{name}, {sizes}") for name, sizes in outcomes.cases()]
    assert list(dict.fromkeys((row.script, row.arguments) for row in ROWS)) == cases
    assert {name for name, _ in families.cases()} == {path.stem for path in families.EXAMPLES.glob("*.py")} - {"common"}
    assert support.page(ROWS) == support.PAGE.read_text()


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("name, words", families.cases(), ids=lambda text: text.replace("--", "").replace(" ", "-"))
def test_an_example_is_as_the_table_says(name, words, machine):
    expected = [row.outcome for row in ROWS if (row.script, row.arguments) == (f"{name}.py", words)]
    assert families.outcomes(name, words, machine=machine, check=True) == expected, STALE
    if any(outcome.state == "wrong" for outcome in expected):
        pytest.xfail("known to be wrong")


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("name, sizes", outcomes.cases())
def test_a_published_kernel_is_as_the_table_says(name, sizes, machine):
    (expected, ) = [row.outcome for row in ROWS if row.arguments == f"{name}, {sizes}"]
    assert outcomes.outcome(name, sizes, machine=machine, check=True) == expected, STALE
