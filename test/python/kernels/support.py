# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of docs/support.md, written and read."""
import dataclasses
import re

from kernels.families import Outcome
from kernels.line import ROOT

PAGE = ROOT / "docs" / "support.md"
HEAD = """\
# Which kernels run

Written by `scripts/make-support`, which runs every script of `examples/triton` at sizes that fill
tiles and at sizes that do not. {runs} of {all} kernels run, and are right: their results agree with
numpy in fp64 and with the interpreter. The others are refused at the line of their script that is
given, with that reason. The tests hold the table to this on Wormhole and Blackhole.

"""
COLUMNS = ("script", "arguments", "kernel", "state", "line", "reason")


@dataclasses.dataclass
class Row:
    script: str
    arguments: str
    outcome: Outcome

    def cells(self):
        found = self.outcome
        refused = ("refused", str(found.line or ""), found.reason) if found.reason else ("runs", "", "")
        return (self.script, self.arguments, found.kernel, *refused)


def page(rows: list[Row]) -> str:
    """The page's text: one line a kernel, columns as wide as their longest cell but for the last."""
    cells = [row.cells() for row in rows]
    widths = [max(len(line[i]) for line in [COLUMNS, *cells]) for i in range(len(COLUMNS) - 1)]

    def line(values):
        padded = [value.ljust(width) for value, width in zip(values, widths)]
        return ("| " + " | ".join(padded) + " | " + values[-1].replace("|", "\\|")).rstrip() + " |\n"

    rule = "|" + "|".join("-" * (width + 2) for width in [*widths, len(COLUMNS[-1])]) + "|\n"
    runs = sum(line[3] == "runs" for line in cells)
    return HEAD.format(runs=runs, all=len(cells)) + line(COLUMNS) + rule + "".join(map(line, cells))


def read() -> list[Row]:
    """The rows of the committed page."""
    rows = []
    for text in PAGE.read_text().split("\n"):
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", text)[1:-1]]
        if len(cells) == len(COLUMNS) and cells[3] in ("runs", "refused"):
            script, arguments, kernel, _, line, reason = cells
            rows.append(Row(script, arguments, Outcome(kernel, int(line) if line else None, reason or None)))
    return rows
