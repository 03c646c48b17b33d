# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements on tiles."""

# Of a tile `a` and a value `b` that broadcasts to one. Smooth wherever they can be: a machine's functions are
# near, and what jumps would make that far.
STEPS = [
    "{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} * {b} + {c}", "tl.maximum({a}, {b})", "tl.minimum({a}, {b})",
    "tl.exp(tl.minimum({a}, 1.0))", "tl.exp2(tl.minimum({a}, 1.5) - 0.5)", "tl.abs({a}) + 0.5",
    "{a} / (tl.abs({b}) + 1.0)", "1.0 / (tl.abs({a}) + 0.5)", "tl.sqrt(tl.abs({a}) + 0.1)",
    "tl.rsqrt(tl.abs({a}) + 0.5)", "tl.log(tl.abs({a}) + 0.5)", "tl.sigmoid({a}) - 0.25", "tl.sin({a})",
    "tl.where({a} > {b}, {a}, {b} * 0.5)", "tl.where({a} >= {b}, {a} - 1.0, {b})", "tl.where(({a} > {b}) & ({b} > -1.0), {a} - {b}, 0.0)",
    "-{a}", "{a} * 0.5 - 1.0"
]


class Body:
    """Statements on tiles of one shape and on what their axes reduce to. `where` are conditions on indices,
    `numbers` are indices, both as text that broadcasts to a tile."""

    def __init__(self, rng, tiles, stats=(), where=(), numbers=(), indent="    "):
        self.rng, self.tiles, self.stats, self.indent = rng, list(tiles), list(stats), indent
        self.where, self.numbers = where, numbers
        self.lines, self.count = [], 0

    def add(self, expression, to):
        name = f"v{self.count}"
        self.count += 1
        self.lines.append(f"{self.indent}{name} = {expression}")
        to.append(name)

    def value(self):
        """A tile, or a statistic that broadcasts to one."""
        if self.stats and self.rng.random() < 0.3:
            return self.rng.choice(self.stats)
        return self.rng.choice(self.tiles)

    def step(self, reductions):
        # Mostly the newest tile: what nothing uses tests nothing.
        a, b = self.tiles[-1] if self.rng.random() < 0.7 else self.rng.choice(self.tiles), self.value()
        if reductions and self.rng.random() < 0.3:
            form, spread = self.rng.choice(reductions)
            self.add(form.format(a), self.stats)
            self.stats[-1] += spread
        elif self.where and self.rng.random() < 0.12:
            self.add(f"tl.where({self.rng.choice(self.where)}, {a}, {self.rng.choice([b, '0.0', '-1.0'])})", self.tiles)
        elif self.numbers and self.rng.random() < 0.06:
            self.add(f"{a} + {self.rng.choice(self.numbers)} * 0.01", self.tiles)
        else:
            self.add(self.rng.choice(STEPS).format(a=a, b=b, c=self.value()), self.tiles)

    def steps(self, count, reductions=()):
        for _ in range(count):
            self.step(reductions)
        return "\n".join(self.lines) + "\n"


def reductions(axes):
    """What reduces a tile along an axis; `axes` are (axis, its extent, how the result spreads again)."""
    return [(form, spread) for axis, extent, spread in axes
            for form in (f"tl.sum({{}}, axis={axis}) * {1 / extent}", f"tl.max({{}}, axis={axis})",
                         f"tl.min({{}}, axis={axis})")]
