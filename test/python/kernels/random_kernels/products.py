# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels of matrix products and what follows them."""
from kernels.random_kernels.body import Body, reductions
from kernels.random_kernels.case import BF16, Case, blank, inputs, matrix
from kernels.random_kernels.tiles import WHERE

# Two masks of a load of a block of a matrix.
BOTH = "mask=({row}[:, None] < {rows}) & ({column}[None, :] < {columns}), other=0.0"


def block(place, pointer, row, rows, column, columns):
    """A load of a block of a matrix, zero outside."""
    mask = BOTH.format(row=row, rows=rows, column=column, columns=columns)
    return f"tl.load({pointer} + {place.at(f'{row}[:, None]', f'{column}[None, :]')}, {mask})"


def dot_kernel(rng, dtype):
    """A product in steps, or a sum of two, then element-wise work with rows, columns and statistics."""
    m, n, k = rng.choice([8, 20, 64, 70]), rng.choice([1, 32, 50, 96]), rng.choice([32, 40, 100])
    bm, bn, bk = rng.choice([16, 32, 64]), rng.choice([32, 64]), rng.choice([32, 64])
    a, b, c = matrix(rng, m, k), matrix(rng, k, n), matrix(rng, m, n)
    body = Body(rng, ["acc"], ["bias[None, :]"], WHERE, ["row[:, None]"])
    sums = reductions([(1, bn, "[:, None]"), (0, bm, "[None, :]")])
    steps = body.steps(rng.randint(1, 4), sums if rng.random() < 0.4 else ())
    second = rng.choice(["", "", "        acc = tl.dot(a, b * 0.5, acc)\n", "        acc += tl.dot(a, b) * 0.5\n"])
    if dtype == BF16:
        second = second.replace("b * 0.5", "(b * 0.5).to(tl.bfloat16)")
    text = f"""def kernel(a_ptr, b_ptr, bias_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        inner = start + tl.arange(0, BK)
        a = {block(a, "a_ptr", "row", "M", "inner", "K")}
        b = {block(b, "b_ptr", "inner", "K", "column", "N")}
        acc = tl.dot(a, b, acc)
{second}    acc = acc * {k**-0.5}
    bias = tl.load(bias_ptr + column, mask=column < N, other=0.0).to(tl.float32)
{steps}    tl.store(c_ptr + {c.at("row[:, None]", "column[None, :]")}, {body.tiles[-1]}, mask=(row[:, None] < M) & (column[None, :] < N))
"""
    return Case(text, (-(-m // bm), -(-n // bn)), inputs(rng, dtype, a.size, b.size, n) + blank(dtype, c.size), 1,
                [m, n, k], {"BM": bm, "BN": bn, "BK": bk})


def chain_kernel(rng, dtype):
    """The product of a product, the inner width in steps, with work between; a batch a program."""
    batch, m, n, width = rng.choice([1, 2]), rng.choice([20, 32, 50]), rng.choice([40, 64, 100]), rng.choice([32, 64])
    bm, bn = rng.choice([16, 32]), rng.choice([32, 64])
    body = Body(rng, ["s"], ["best[:, None]"], ["row[:, None] >= inner[None, :]", "inner[None, :] < n - 3"],
                indent="        ")
    steps = body.steps(rng.randint(1, 3))
    p, cast = body.tiles[-1], ".to(tl.bfloat16)" if dtype == BF16 else ""
    causal = "tl.minimum(n, (tl.program_id(0) + 1) * BM)" if rng.random() < 0.3 else "n"
    text = f"""def kernel(q_ptr, k_ptr, v_ptr, o_ptr, m, n, BM: tl.constexpr, BN: tl.constexpr, WIDTH: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    deep = tl.program_id(1)
    lane = tl.arange(0, WIDTH)
    q = tl.load(q_ptr + deep * m * WIDTH + row[:, None] * WIDTH + lane[None, :], mask=row[:, None] < m, other=0.0)
    best = tl.full((BM, ), -2.0, tl.float32)
    acc = tl.zeros((BM, WIDTH), tl.float32)
    for start in range(0, {causal}, BN):
        inner = start + tl.arange(0, BN)
        k = tl.load(k_ptr + deep * n * WIDTH + inner[None, :] * WIDTH + lane[:, None], mask=inner[None, :] < n, other=0.0)
        s = tl.dot(q, k) * {width**-0.5}
        best = tl.maximum(best, tl.max(s, 1))
{steps}        p = tl.where(inner[None, :] < n, {p}, 0.0)
        v = tl.load(v_ptr + deep * n * WIDTH + inner[:, None] * WIDTH + lane[None, :], mask=inner[:, None] < n, other=0.0)
        acc = acc * 0.75 + tl.dot(p{cast}, v) * {n**-0.5}
    o = acc / (1.0 + tl.abs(best)[:, None])
    tl.store(o_ptr + deep * m * WIDTH + row[:, None] * WIDTH + lane[None, :], o, mask=row[:, None] < m)
"""
    shapes = [(batch, extent, width) for extent in (m, n, n)]
    return Case(text, (-(-m // bm), batch), inputs(rng, dtype, *shapes) + blank(dtype, shapes[0]), 1, [m, n],
                {"BM": bm, "BN": bn, "WIDTH": width})


FAMILIES = {"dot": dot_kernel, "chain": chain_kernel}
