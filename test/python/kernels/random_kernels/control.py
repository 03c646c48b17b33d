# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels with branches, nested loops and loops over tiles."""
import numpy as np
from kernels.random_kernels.body import Body
from kernels.random_kernels.case import Case, blank, inputs, matrix, numbers


def branch_kernel(rng, dtype):
    """A row a program, one of two ways, or none: decided by its number or by what memory says."""
    rows, columns = rng.choice([4, 20, 40]), rng.choice([20, 32, 64])
    block = 1 << (columns - 1).bit_length()
    kinds = numbers(rng).integers(0, 4, rows).astype(np.int32)
    condition = rng.choice(["row < 3", "kind > 1", "row % 2 == 0", "(kind == 0) & (row > 1)", "kind + row > 5"])
    leave = rng.choice(["", "    if kind == 3:\n        return\n", "    if row >= limit:\n        return\n"])
    one, two = (Body(rng, ["x"], ["a"], indent="        ") for _ in range(2))
    first, second = one.steps(rng.randint(1, 3)), two.steps(rng.randint(1, 3))
    text = f"""def kernel(x_ptr, kind_ptr, y_ptr, limit, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    kind = tl.load(kind_ptr + row)
{leave}    x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=0.0).to(tl.float32)
    a = tl.max(x, axis=0)
    if {condition}:
{first}        y = {one.tiles[-1]}
    else:
{second}        y = {two.tiles[-1]}
    tl.store(y_ptr + row * columns + column, y, mask=column < columns)
"""
    (x, ) = inputs(rng, dtype, (rows, columns))
    return Case(text, (rows, ), [x, kinds] + blank(dtype, (rows, columns)), 1, [rows - 2, columns], {"BLOCK": block})


def nest_kernel(rng, dtype):
    """A loop in a loop, both with what they carry; the inner bounds may depend on the outer index."""
    rows, outer, columns, block = rng.choice([1, 9, 33]), rng.choice([1, 3, 4]), rng.choice([20, 40, 64]), 32
    body = Body(rng, ["x"], ["best"], ["column + i > 9"], indent="            ")
    steps = body.steps(rng.randint(1, 3))
    first = rng.choice(["0", "0", "(i % 2) * BLOCK"])
    text = f"""def kernel(x_ptr, y_ptr, outer, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = -5.0
    all = tl.zeros((BLOCK, ), tl.float32)
    for i in range(outer):
        part = tl.zeros((BLOCK, ), tl.float32)
        for start in range({first}, columns, BLOCK):
            column = start + tl.arange(0, BLOCK)
            x = tl.load(x_ptr + (row * outer + i) * columns + column, mask=column < columns, other=-0.5).to(tl.float32)
{steps}            part += {body.tiles[-1]}
            best = tl.maximum(best, tl.max(x, axis=0))
        all = all * 0.5 + part * {rng.choice(["0.25", "(i + 1)", "best"])}
    tl.store(y_ptr + row * BLOCK + tl.arange(0, BLOCK), all)
"""
    return Case(text, (rows, ), inputs(rng, dtype, (rows, outer, columns)) + blank(dtype, (rows, block)), 1,
                [outer, columns], {"BLOCK": block})


def persistent_kernel(rng, dtype):
    """Few programs that loop over many tiles."""
    rows, columns, bm, bn = rng.choice([20, 64, 100]), rng.choice([33, 64, 100]), rng.choice([16, 32]), 32
    place = matrix(rng, rows, columns)
    body = Body(rng, ["x"], ["c[:, None]"], ["row[:, None] > column[None, :]"], indent="        ")
    steps = body.steps(rng.randint(1, 4))
    text = f"""def kernel(x_ptr, c_ptr, y_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    across = tl.cdiv(columns, BN)
    for tile in range(tl.program_id(0), tl.cdiv(rows, BM) * across, tl.num_programs(0)):
        row = (tile // across) * BM + tl.arange(0, BM)
        column = (tile % across) * BN + tl.arange(0, BN)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        x = tl.load(x_ptr + {place.at("row[:, None]", "column[None, :]")}, mask=inside, other=0.0).to(tl.float32)
        c = tl.load(c_ptr + row, mask=row < rows, other=0.0).to(tl.float32)
{steps}        tl.store(y_ptr + row[:, None] * columns + column[None, :], {body.tiles[-1]}, mask=inside)
"""
    return Case(text, (rng.choice([1, 3, 4]), ), inputs(rng, dtype, place.size, rows) + blank(dtype, (rows, columns)), 1,
                [rows, columns], {"BM": bm, "BN": bn})


def update_kernel(rng, dtype):
    """Sums or extremes of what every program has."""
    rows, columns, bm = rng.choice([20, 64, 100]), rng.choice([20, 32, 64]), rng.choice([16, 32])
    width = 1 << (columns - 1).bit_length()
    body = Body(rng, ["x"])
    steps = body.steps(rng.randint(0, 3))
    join, nothing = rng.choice([("sum", "0.0"), ("max", "-1.0e9"), ("min", "1.0e9")])
    update = "add" if join == "sum" else join
    text = f"""def kernel(x_ptr, y_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.arange(0, BN)
    x = tl.load(x_ptr + row[:, None] * columns + column[None, :], mask=(row[:, None] < rows) & (column[None, :] < columns), other=0.0).to(tl.float32)
{steps}    share = tl.{join}(tl.where(row[:, None] < rows, {body.tiles[-1]}, {nothing}), axis=0) * 0.125
    tl.atomic_{update}(y_ptr + column, share, mask=column < columns, sem="relaxed")
"""
    return Case(text, (-(-rows // bm), ), inputs(rng, dtype, (rows, columns)) + [np.ones(columns, np.float32)], 1,
                [rows, columns], {"BM": bm, "BN": width})


FAMILIES = {"branch": branch_kernel, "nest": nest_kernel, "persistent": persistent_kernel, "update": update_kernel}
