# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The planner's count of L1 bytes against what the lowering lays out: docs/stations/plan.md says why they are two."""
import pytest
from kernels import families

# What the planner leaves out (scratch for lanes moved one by one, tiles of constants, steps of scans) and what it counts
# too much (values that the lowering never buffers) stay within these factors.
LESS, MORE = 4.0, 2.1
CASES = [(name, words) for name, rows in families.CASES.items() for words in rows]


@pytest.mark.parametrize("name, words", CASES, ids=lambda text: text.replace("--", "").replace(" ", "-"))
def test_the_plan_counts_about_the_bytes_that_are_laid_out(name, words):
    reports, _, _ = families.run(name, words, timing_only=True)
    assert reports
    for report in reports:
        planned, made = report["plan"]["best"][0]["l1_bytes"], report["peak_l1_bytes"]
        print(f"{report['kernel']}: planned {planned} B, laid out {made} B")
        assert made / LESS <= planned <= made * MORE, report["kernel"]
