# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels with a row a program."""
from kernels.random_kernels.body import Body, reductions
from kernels.random_kernels.case import Case, F32, blank, inputs, inside, matrix

WHERE = ["column % 2 == 0", "column < 20", "column > 17", "(column + row) % 3 == 1"]


def row_kernel(rng, dtype):
    """Reductions, scans, weights that all rows share."""
    rows, columns = rng.choice([1, 7, 32, 45, 100]), rng.choice([5, 32, 50, 64, 100])
    block = 1 << (columns - 1).bit_length()
    x, y = matrix(rng, rows, columns), matrix(rng, rows, columns)
    body = Body(rng, ["x", "w"], where=WHERE, numbers=["column"])
    steps = body.steps(rng.randint(2, 7), reductions([(0, block, "")]))
    if rng.random() < 0.2:
        steps += f"    {body.tiles[-1]} = tl.cumsum({body.tiles[-1]}, axis=0) * {1 / block}\n"
    stat = body.stats[-1] if body.stats else "tl.sum(x, axis=0)"
    text = f"""def kernel(x_ptr, w_ptr, y_ptr, s_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = {inside(rng, "column", "columns")}
    x = tl.load(x_ptr + {x.at("row", "column")}, mask=inside, other={rng.choice(["0.0", "-1.5", "2.0"])}).to(tl.float32)
    w = tl.load(w_ptr + column, mask=column < columns, other=0.0).to(tl.float32)
{steps}    tl.store(y_ptr + {y.at("row", "column")}, {body.tiles[-1]}, mask=inside)
    tl.store(s_ptr + row, {stat})
"""
    return Case(text, (rows, ), inputs(rng, dtype, x.size, columns) + blank(dtype, y.size) + blank(F32, rows), 2,
                [columns], {"BLOCK": block})


def loop_kernel(rng, dtype):
    """In blocks: statistics and tiles carried along, then used."""
    rows, columns, block = rng.choice([1, 20, 64]), rng.choice([30, 64, 100, 130]), rng.choice([32, 64])
    place = matrix(rng, rows, columns)
    first = Body(rng, ["x"], ["most"], WHERE, indent="        ")
    head = first.steps(rng.randint(1, 3))
    last = Body(rng, ["x"], ["most", "total", "mean"], WHERE, ["column"], indent="        ")
    tail = last.steps(rng.randint(1, 4))
    pointers = rng.random() < 0.3 and place.step == 1
    here = "here" if pointers else f"x_ptr + {place.at('row', 'column')}"
    start = f"    here = x_ptr + {place.at('row', 'tl.arange(0, BLOCK)')}\n" if pointers else ""
    move = "        here += BLOCK\n" if pointers else ""
    text = f"""def kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    most = -100.0
    total = 0.0
    parts = tl.zeros((BLOCK, ), tl.float32)
{start}    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load({here}, mask={inside(rng, "column", "columns")}, other={rng.choice(["0.0", "-3.0"])}).to(tl.float32)
{head}        most = tl.maximum(most, tl.max(x, axis=0))
        total = total * 0.5 + tl.sum({first.tiles[-1]}, axis=0) * {1 / block}
        parts += x
{move}    mean = tl.sum(parts, axis=0) * {1 / columns}
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + {place.at('row', 'column')}, mask=column < columns, other=0.0).to(tl.float32)
{tail}        tl.store(y_ptr + row * columns + column, {last.tiles[-1]}, mask=column < columns)
"""
    return Case(text, (rows, ), inputs(rng, dtype, place.size) + blank(dtype, (rows, columns)), 1, [columns],
                {"BLOCK": block})


COMBINES = {
    "add": ("a + b", "x * 0.1"),
    "most": ("tl.maximum(a, b)", "x"),
    "product": ("a * b", "tl.sigmoid(x) + 0.4"),
}


def scan_kernel(rng, dtype):
    """Scans along a row, carried over blocks, or of pairs."""
    rows, columns, block = rng.choice([1, 20, 64]), rng.choice([30, 64, 100, 130]), rng.choice([32, 64])
    reverse = ", reverse=True" if rng.random() < 0.2 else ""
    if rng.random() < 0.5:
        combine, value = COMBINES[rng.choice(list(COMBINES))]
        helper = f"def combine(a, b):\n    return {combine}\n"
        scan, spare = f"tl.associative_scan({value}, 0, combine{reverse})", "0.0"
    else:
        helper = "def combine(a, b, c, d):\n    return a * c, b * c + d\n"
        scan, spare = f"tl.associative_scan((tl.sigmoid(x), x), 0, combine{reverse})[1]", rng.choice(["0.0", "1.0"])
    body = Body(rng, ["x"], ["carry"], WHERE, indent="        ")
    steps = body.steps(rng.randint(0, 3)) if rng.random() < 0.5 else ""
    text = f"""{helper}

def kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + column, mask=column < columns, other={spare}).to(tl.float32)
{steps}        x = {body.tiles[-1]}
        y = {scan} + carry
        carry = carry * 0.5 + tl.sum(x, axis=0) * {1 / block}
        tl.store(y_ptr + row * columns + column, y, mask=column < columns)
"""
    return Case(text, (rows, ), inputs(rng, dtype, (rows, columns)) + blank(dtype, (rows, columns)), 1, [columns],
                {"BLOCK": block})


FAMILIES = {"row": row_kernel, "loop": loop_kernel, "scan": scan_kernel}
