# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other plans of a mapped program: its text with random mappings, travels, levels, depths and chunks."""
import math
import random
import re

MAPPING = re.compile(r"tile\.grid \[([\d, ]*)\] map \[[^\]]*\]")
TRAVEL = re.compile(r"travel #tile\.(?:direct|multicast)<(?:[^<>]*)> hoist \d+ depth \d+")
CHUNK = re.compile(r"tile\.chunk = (\d+) : i64")
SIDES = {"x": 8, "y": 8}


def digits(chance: random.Random, extents: list[int]) -> list[str]:
    """A mapping that covers the grid: each dimension spread over some machine dimensions, the rest in time."""
    free, mapping = list(SIDES), []
    chance.shuffle(free)
    for dim, extent in enumerate(extents):
        left, own = extent, []
        while free and left > 1 and chance.random() < 0.7:
            size = min(left, chance.choice([2, 4, SIDES[free[-1]]]))
            own.append(f'#tile.space<{dim} on "{free.pop()}" x {size}>')
            left = math.ceil(left / size)
        if left > 1:
            own.append(f"#tile.wave<{dim} x {left}>")
        chance.shuffle(own)
        mapping += own
    if chance.random() < 0.5:
        chance.shuffle(mapping)
    return mapping


def travel(chance: random.Random) -> str:
    """A way to travel, a level and a depth; whether they are legal is the compiler's to say."""
    network = chance.randint(0, 1)
    along = chance.choice(['"x"', '"y"', None, None, None])
    how = f"direct<net {network}>"
    if along:
        how = f"multicast<along [{along}] senders {chance.choice(['one', 'group'])} net {network}>"
    return f"travel #tile.{how} hoist {chance.choice([0, 0, 0, 1, 1, 2])} depth {chance.randint(1, 3)}"


def other_plan(mapped: str, seed: int) -> tuple[str, int]:
    """The program with another plan, and the iterations a delivery brings."""
    chance = random.Random(seed)
    extents = [int(extent) for extent in MAPPING.search(mapped)[1].split(",") if extent.strip()]
    mapped = MAPPING.sub(f"tile.grid {extents} map [{', '.join(digits(chance, extents))}]", mapped)
    mapped = TRAVEL.sub(lambda match: travel(chance), mapped)
    chunk = 1
    if found := CHUNK.search(mapped):
        chunk = chance.choice([1, 2, int(found[1])])
        mapped = CHUNK.sub(f"tile.chunk = {chunk} : i64", mapped)
    return mapped, chunk


def pinned_plan(mapped: str, mapping: str, travels: list[str], chunk: int) -> str:
    """The program with the plan given: its mapping, each load's travel in order, iterations a delivery."""
    mapped = MAPPING.sub(lambda match: f"tile.grid [{match[1]}] map [{mapping}]", mapped)
    rest = iter(travels)
    mapped = TRAVEL.sub(lambda match: "travel #tile." + next(rest), mapped)
    return re.sub(r"(scf\.yield [^\n]*\n *\})( \{tile\.chunk = \d+ : i64\})?", rf"\1 {{tile.chunk = {chunk} : i64}}",
                  mapped)
