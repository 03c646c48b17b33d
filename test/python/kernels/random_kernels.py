# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Triton kernels that are masked, strided and ragged, each with its launch."""
import dataclasses
import importlib.util
import random
import tempfile
from pathlib import Path

import numpy as np
from kernels import numpy_tl


@dataclasses.dataclass
class Case:
    text: str  # of the function `kernel`
    grid: tuple
    arrays: list  # inputs, then outputs of NaN
    outputs: int
    scalars: list
    constants: dict

    def expected(self):
        """The outputs as numpy computes them from the same text, in fp64."""
        arrays = [a.astype(np.float64) for a in self.arrays]
        scope = {"tl": numpy_tl}
        exec(self.text, scope)
        numpy_tl.run(scope["kernel"], self.grid, *arrays, *self.scalars, **self.constants)
        return arrays[-self.outputs:]

    def kernel(self):
        """The kernel as Triton sees it, from a file of its own."""
        with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
            file.write("import triton\nimport triton.language as tl\n\n\n@triton.jit\n" + self.text)
        spec = importlib.util.spec_from_file_location(Path(file.name).stem, file.name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.kernel


class Body:
    """Statements on tiles of one shape and on what their axes reduce to."""

    def __init__(self, rng, tiles, stats, indent="    "):
        self.rng, self.tiles, self.stats, self.indent = rng, list(tiles), list(stats), indent
        self.lines, self.count = [], 0

    def add(self, expression, to):
        name = f"v{self.count}"
        self.count += 1
        self.lines.append(f"{self.indent}{name} = {expression}")
        to.append(name)
        return name

    def value(self):
        """A tile, or a statistic that broadcasts to one."""
        if self.stats and self.rng.random() < 0.3:
            return self.rng.choice(self.stats)
        return self.rng.choice(self.tiles)

    def step(self, reductions):
        # Mostly the newest tile: what nothing uses tests nothing.
        a, b = self.tiles[-1] if self.rng.random() < 0.7 else self.rng.choice(self.tiles), self.value()
        if reductions and self.rng.random() < 0.35:
            form, spread = self.rng.choice(reductions)
            self.add(form.format(a), self.stats)
            self.stats[-1] += spread
            return
        self.add(
            self.rng.choice([
                f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"tl.maximum({a}, {b})", f"tl.minimum({a}, {b})",
                f"tl.exp(tl.minimum({a}, 1.0))", f"tl.abs({a}) + 0.5", f"{a} / (tl.abs({b}) + 1.0)",
                f"tl.sqrt(tl.abs({a}) + 0.1)", f"tl.sigmoid({a}) - 0.25", f"tl.where({a} > {b}, {a}, 0.5)"
            ]), self.tiles)

    def steps(self, count, reductions):
        for _ in range(count):
            self.step(reductions)
        return "\n".join(self.lines) + "\n"


def inputs(rng, *shapes):
    numbers = np.random.default_rng(rng.randrange(1 << 30))
    return [numbers.standard_normal(shape).astype(np.float32) for shape in shapes]


def blank(*shapes):
    return [np.full(shape, np.nan, np.float32) for shape in shapes]



def row_kernel(rng):
    """A row a program: reductions, scans, weights that all rows share."""
    rows, columns = rng.choice([1, 7, 32, 45, 100]), rng.choice([5, 32, 50, 64, 100])
    block = 1 << (columns - 1).bit_length()
    stride = columns + rng.choice([0, 0, 3, 28])
    body = Body(rng, ["x", "w"], [])
    sums = [(f"tl.sum({{}}, axis=0) * {1 / block}", ""), ("tl.max({}, axis=0)", ""), ("tl.min({}, axis=0)", "")]
    steps = body.steps(rng.randint(2, 7), sums)
    if rng.random() < 0.2:
        steps += f"    {body.tiles[-1]} = tl.cumsum({body.tiles[-1]}, axis=0) * {1 / block}\n"
    stat = body.stats[-1] if body.stats else "tl.sum(x, axis=0)"
    text = f"""def kernel(x_ptr, w_ptr, y_ptr, s_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    x = tl.load(x_ptr + row * stride + column, mask=inside, other={rng.choice(["0.0", "-1.5", "2.0"])})
    w = tl.load(w_ptr + column, mask=inside, other=0.0)
{steps}    tl.store(y_ptr + row * columns + column, {body.tiles[-1]}, mask=inside)
    tl.store(s_ptr + row, {stat})
"""
    return Case(text, (rows, ), inputs(rng, (rows, stride), (columns, )) + blank((rows, columns), (rows, )), 2,
                [stride, columns], {"BLOCK": block})


def loop_kernel(rng):
    """A row a program, in blocks: statistics and tiles carried along, then used."""
    rows, columns, block = rng.choice([1, 20, 64]), rng.choice([30, 64, 100, 130]), rng.choice([32, 64])
    first = Body(rng, ["x"], ["most"], indent="        ")
    head = first.steps(rng.randint(1, 3), [])
    last = Body(rng, ["x"], ["most", "total", "mean"], indent="        ")
    tail = last.steps(rng.randint(1, 4), [])
    text = f"""def kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    most = -100.0
    total = 0.0
    parts = tl.zeros((BLOCK, ), tl.float32)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + column, mask=column < columns, other={rng.choice(["0.0", "-3.0"])})
{head}        most = tl.maximum(most, tl.max(x, axis=0))
        total = total * 0.5 + tl.sum({first.tiles[-1]}, axis=0) * {1 / block}
        parts += x
    mean = tl.sum(parts, axis=0) * {1 / columns}
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=0.0)
{tail}        tl.store(y_ptr + row * columns + column, {last.tiles[-1]}, mask=column < columns)
"""
    return Case(text, (rows, ), inputs(rng, (rows, columns)) + blank((rows, columns)), 1, [columns], {"BLOCK": block})


def tile_kernel(rng):
    """Tiles of two axes with rows and columns that broadcast."""
    rows, columns = rng.choice([20, 64, 77]), rng.choice([33, 64, 100])
    bm, bn = rng.choice([16, 32, 64]), rng.choice([32, 64])
    stride = columns + rng.choice([0, 4, 31])
    body = Body(rng, ["x"], ["a[None, :]", "c[:, None]"])
    sums = [("tl.max({}, axis=1)", "[:, None]"), (f"tl.sum({{}}, axis=1) * {1 / bn}", "[:, None]"),
            (f"tl.sum({{}}, axis=0) * {1 / bm}", "[None, :]"), ("tl.min({}, axis=0)", "[None, :]")]
    steps = body.steps(rng.randint(2, 6), sums if rng.random() < 0.6 else [])
    text = f"""def kernel(x_ptr, a_ptr, c_ptr, y_ptr, stride, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    x = tl.load(x_ptr + row[:, None] * stride + column[None, :], mask=inside, other=0.5)
    a = tl.load(a_ptr + column, mask=column < columns, other=0.0)
    c = tl.load(c_ptr + row, mask=row < rows, other=1.0)
{steps}    tl.store(y_ptr + row[:, None] * columns + column[None, :], {body.tiles[-1]}, mask=inside)
"""
    return Case(text, (-(-rows // bm), -(-columns // bn)),
                inputs(rng, (rows, stride), (columns, ), (rows, )) + blank((rows, columns)), 1,
                [stride, rows, columns], {"BM": bm, "BN": bn})


def dot_kernel(rng):
    """A product in steps, then element-wise work with rows, columns and statistics."""
    m, n, k = rng.choice([20, 64, 70]), rng.choice([32, 50, 96]), rng.choice([32, 40, 100])
    bm, bn, bk = rng.choice([32, 64]), rng.choice([32, 64]), rng.choice([32, 64])
    body = Body(rng, ["acc"], ["bias[None, :]"])
    sums = [("tl.max({}, axis=1)", "[:, None]"), (f"tl.sum({{}}, axis=1) * {1 / bn}", "[:, None]")]
    steps = body.steps(rng.randint(1, 4), sums if rng.random() < 0.4 else [])
    text = f"""def kernel(a_ptr, b_ptr, bias_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        inner = start + tl.arange(0, BK)
        a = tl.load(a_ptr + row[:, None] * K + inner[None, :], mask=(row[:, None] < M) & (inner[None, :] < K), other=0.0)
        b = tl.load(b_ptr + inner[:, None] * N + column[None, :], mask=(inner[:, None] < K) & (column[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
    acc = acc * {k**-0.5}
    bias = tl.load(bias_ptr + column, mask=column < N, other=0.0)
{steps}    tl.store(c_ptr + row[:, None] * N + column[None, :], {body.tiles[-1]}, mask=(row[:, None] < M) & (column[None, :] < N))
"""
    return Case(text, (-(-m // bm), -(-n // bn)), inputs(rng, (m, k), (k, n), (n, )) + blank((m, n)), 1, [m, n, k],
                {"BM": bm, "BN": bn, "BK": bk})


FAMILIES = {"row": row_kernel, "loop": loop_kernel, "tile": tile_kernel, "dot": dot_kernel}


def random_case(family: str, seed: int) -> Case:
    return FAMILIES[family](random.Random(f"{family} {seed}"))
