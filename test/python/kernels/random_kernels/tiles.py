# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels on tiles of two and of three axes."""
from kernels.random_kernels.body import Body, reductions
from kernels.random_kernels.case import Case, blank, inputs, inside, matrix

WHERE = ["row[:, None] >= column[None, :]", "row[:, None] % 2 == 0", "column[None, :] < 40",
         "(row[:, None] > 5) & (column[None, :] > 9)"]


def tile_kernel(rng, dtype):
    """Rows and columns that broadcast; matrices that lie anyhow; the result transposed now and then."""
    rows, columns = rng.choice([20, 64, 77]), rng.choice([33, 64, 100])
    bm, bn = rng.choice([16, 32, 64]), rng.choice([32, 64])
    x, y = matrix(rng, rows, columns), matrix(rng, rows, columns)
    body = Body(rng, ["x"], ["a[None, :]", "c[:, None]"], WHERE, ["row[:, None]", "column[None, :]"])
    sums = reductions([(1, bn, "[:, None]"), (0, bm, "[None, :]")])
    steps = body.steps(rng.randint(2, 6), sums if rng.random() < 0.6 else ())
    if rng.random() < 0.25:
        axis = rng.choice([0, 1])
        steps += f"    {body.tiles[-1]} = tl.cumsum({body.tiles[-1]}, axis={axis}) * {1 / 32}\n"
    mask = f'({inside(rng, "row", "rows", "[:, None]")}) & ({inside(rng, "column", "columns", "[None, :]")})'
    store = f"y_ptr + {y.at('row[:, None]', 'column[None, :]')}, {body.tiles[-1]}, mask=inside"
    if rng.random() < 0.2:
        y = matrix(rng, columns, rows)
        store = (f"y_ptr + {y.at('column[:, None]', 'row[None, :]')}, tl.trans({body.tiles[-1]}), "
                 "mask=(column[:, None] < columns) & (row[None, :] < rows)")
    text = f"""def kernel(x_ptr, a_ptr, c_ptr, y_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = {mask}
    x = tl.load(x_ptr + {x.at('row[:, None]', 'column[None, :]')}, mask=inside, other=0.5).to(tl.float32)
    a = tl.load(a_ptr + column, mask={inside(rng, "column", "columns")}, other=0.0).to(tl.float32)
    c = tl.load(c_ptr + row, mask=row < rows, other=1.0).to(tl.float32)
{steps}    tl.store({store})
"""
    return Case(text, (-(-rows // bm), -(-columns // bn)),
                inputs(rng, dtype, x.size, columns, rows) + blank(dtype, y.size), 1, [rows, columns],
                {"BM": bm, "BN": bn})


def volume_kernel(rng, dtype):
    """A grid of three axes; halves of columns, pairs of columns, or parts of rows."""
    depth, rows, columns = rng.choice([1, 3]), rng.choice([20, 32, 50]), rng.choice([32, 64])
    bm = rng.choice([16, 32])
    half = columns // 2
    body = Body(rng, ["p", "q"], ["tl.max(p, axis=1)[:, None]"])
    steps = body.steps(rng.randint(1, 4))
    load = "tl.load(x_ptr + {}, mask=row[:, None] < rows, other=0.25).to(tl.float32)"
    base = "deep * rows * COLUMNS + row[:, None] * COLUMNS"
    pairs = rng.random() < 0.5
    if pairs:
        take = (f"    x = {load.format(f'{base} + tl.arange(0, COLUMNS)[None, :]')}\n"
                "    p, q = tl.split(tl.reshape(x, (BM, HALF, 2)))\n")
        give = (f"    y = tl.reshape(tl.join({body.tiles[-1]}, q - p), (BM, COLUMNS))\n"
                f"    tl.store(y_ptr + {base} + tl.arange(0, COLUMNS)[None, :], y, mask=row[:, None] < rows)\n")
    else:
        take = (f"    column = tl.arange(0, HALF)\n    p = {load.format(f'{base} + column[None, :]')}\n"
                f"    q = {load.format(f'{base} + HALF + column[None, :]')}\n")
        give = (f"    tl.store(y_ptr + {base} + HALF + column[None, :], {body.tiles[-1]}, mask=row[:, None] < rows)\n"
                f"    tl.store(y_ptr + {base} + column[None, :], q - p, mask=row[:, None] < rows)\n")
    order = rng.sample(range(3), 3)
    sizes = {order[0]: depth, order[1]: -(-rows // bm), order[2]: 1}
    text = f"""def kernel(x_ptr, y_ptr, rows, BM: tl.constexpr, COLUMNS: tl.constexpr, HALF: tl.constexpr):
    deep = tl.program_id({order[0]})
    row = tl.program_id({order[1]}) * BM + tl.arange(0, BM)
{take}{steps}{give}"""
    shape = (depth, rows, columns)
    return Case(text, tuple(sizes[i] for i in range(3)), inputs(rng, dtype, shape) + blank(dtype, shape), 1, [rows],
                {"BM": bm, "COLUMNS": columns, "HALF": half})


def cube_kernel(rng, dtype):
    """Tiles of three axes, reduced along one."""
    depth, rows, columns = rng.choice([2, 4]), rng.choice([16, 30, 32]), rng.choice([20, 32, 64])
    shape = (depth, 32, 1 << (columns - 1).bit_length())
    axis = rng.choice([0, 1, 2])
    body = Body(rng, ["x"], ["a[None, None, :]"])
    steps = body.steps(rng.randint(1, 4))
    names = ["deep", "row", "column"]
    one, two = (n for i, n in enumerate(names) if i != axis)
    spread = {one: f"{one}[:, None]", two: f"{two}[None, :]"}
    strides = {"deep": "rows * columns", "row": "columns", "column": "1"}
    limits = {"deep": "DEPTH", "row": "rows", "column": "columns"}
    at = " + ".join(f"{spread[n]} * {strides[n]}" for n in (one, two))
    mask = " & ".join(f"({spread[n]} < {limits[n]})" for n in (one, two))
    operation = rng.choice(["sum", "max"])
    text = f"""def kernel(x_ptr, a_ptr, y_ptr, rows, columns, DEPTH: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    deep = tl.arange(0, DEPTH)
    row = tl.arange(0, BM)
    column = tl.arange(0, BN)
    place = deep[:, None, None] * rows * columns + row[None, :, None] * columns + column[None, None, :]
    inside = (row[None, :, None] < rows) & (column[None, None, :] < columns)
    x = tl.load(x_ptr + place, mask=inside, other=0.0).to(tl.float32)
    a = tl.load(a_ptr + column, mask=column < columns, other=0.0).to(tl.float32)
{steps}    y = tl.{operation}({body.tiles[-1]}, axis={axis}) * 0.125
    tl.store(y_ptr + {at}, y, mask={mask})
"""
    return Case(text, (1, ), inputs(rng, dtype, (depth, rows, columns), columns) + blank(dtype, (depth, rows, columns)),
                1, [rows, columns], {"DEPTH": depth, "BM": shape[1], "BN": shape[2]})


FAMILIES = {"tile": tile_kernel, "volume": volume_kernel, "cube": cube_kernel}
