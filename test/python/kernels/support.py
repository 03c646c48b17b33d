# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of docs/support.md, written and read."""
import dataclasses
import re

from kernels.families import Outcome
from kernels.line import ROOT

PAGE = ROOT / "docs" / "support.md"
HEAD = """\
# Which kernels run

Written by `scripts/make-support`, which runs every script of `examples/triton` and every kernel of
`test/python/kernels/corpus` (kernels as people publish them) at sizes that fill tiles and at sizes
that do not. Of {all} launches of kernels {runs} run, and are right: their results agree with numpy in
fp64 and with the interpreter. The {imports} that import are understood (`drawloom interpret` computes
them rightly) but not run by a machine yet; {refused} are refused before. Those have the line of their
script that stands in the way, and why. The tests hold the table to this on Wormhole and Blackhole.
Results of {wrong} are wrong: faults that are known and not yet mended.

"""
STATES = ("runs", "imports", "refused", "wrong")
COLUMNS = ("script", "arguments", "kernel", "state", "line", "reason")


@dataclasses.dataclass
class Row:
    script: str
    arguments: str
    outcome: Outcome

    def cells(self):
        found = self.outcome
        return self.script, self.arguments, found.kernel, found.state, str(found.line or ""), found.reason or ""


def page(rows: list[Row]) -> str:
    """The page's text: one line a kernel, columns as wide as their longest cell but for the last."""
    cells = [row.cells() for row in rows]
    widths = [max(len(line[i]) for line in [COLUMNS, *cells]) for i in range(len(COLUMNS) - 1)]

    def line(values):
        padded = [value.ljust(width) for value, width in zip(values, widths)]
        return ("| " + " | ".join(padded) + " | " + values[-1].replace("|", "\\|")).rstrip() + " |\n"

    rule = "|" + "|".join("-" * (width + 2) for width in [*widths, len(COLUMNS[-1])]) + "|\n"
    counts = {state: sum(cell[3] == state for cell in cells) for state in STATES}
    return HEAD.format(all=len(cells), **counts) + line(COLUMNS) + rule + "".join(map(line, cells))


def read() -> list[Row]:
    """The rows of the committed page."""
    rows = []
    for text in PAGE.read_text().split("\n"):
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", text)[1:-1]]
        if len(cells) == len(COLUMNS) and cells[3] in STATES:
            script, arguments, kernel, state, line, reason = cells
            rows.append(Row(script, arguments, Outcome(kernel, state, int(line) if line else None, reason or None)))
    return rows
