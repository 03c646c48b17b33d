# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose tiles change their shape, and vectors of elements that are looked up."""
import numpy as np
from kernels.random_kernels.body import Body
from kernels.random_kernels.case import Case, blank, inputs, numbers

DIVISIONS = [(8, 8), (4, 16), (2, 32), (8, 32), (4, 64), (16, 64), (32, 32), (64, 16), (2, 4, 32), (4, 2, 64)]


def divided_kernel(rng, dtype):
    """Vectors in groups: statistics of each group, scales of each; the result in groups or not."""
    shape = rng.choice(DIVISIONS)
    block, group, rank = int(np.prod(shape)), shape[-1], len(shape)
    n = max(group, rng.choice([1, 2, 3]) * block - rng.choice([0, 0, group, block // 2, 5]))
    spread = "[:, None]" if rank == 2 else "[:, :, None]"
    body = Body(rng, ["t"], [f"tl.max(t, axis={rank - 1}){spread}", f"(tl.sum(t, axis={rank - 1}) * {1 / group}){spread}"])
    steps = body.steps(rng.randint(1, 4))
    first = rng.choice(["x", "x", "x * tl.load(s_ptr + lane // GROUP, mask=lane < n, other=0.0)"])
    last = rng.choice(["y", "y", "y + x", "tl.maximum(y, -1.0)"])
    text = f"""def kernel(x_ptr, s_ptr, y_ptr, n, BLOCK: tl.constexpr, GROUP: tl.constexpr):
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=lane < n, other=0.5).to(tl.float32)
    t = tl.reshape({first}, {shape})
{steps}    y = tl.reshape({body.tiles[-1]}, (BLOCK, ))
    tl.store(y_ptr + lane, {last}, mask=lane < n)
"""
    (x, ), (s, ) = inputs(rng, dtype, n), inputs(rng, np.dtype(np.float32), -(-n // group))
    return Case(text, (-(-n // block), ), [x, s] + blank(dtype, n), 1, [n], {"BLOCK": block, "GROUP": group})


def turned_kernel(rng, dtype):
    """Tiles of three axes, permuted, and maybe two of their axes made one."""
    sizes = [rng.choice([2, 4]), rng.choice([4, 16, 32]), rng.choice([16, 32, 64])]
    rng.shuffle(sizes)
    order = rng.sample(range(3), 3)
    turned = [sizes[axis] for axis in order]
    rows = sizes[1] - rng.choice([0, 0, 3]) if sizes[1] > 3 else sizes[1]
    body = Body(rng, ["x"], ["a[None, None, :]"])
    steps = body.steps(rng.randint(0, 3))
    result = f"tl.permute({body.tiles[-1]}, {tuple(order)})"
    index = [f"tl.arange(0, {size})[{', '.join(':' if i == axis else 'None' for i in range(3))}]"
             for axis, size in enumerate(turned)]
    mask = index[order.index(1)] + " < rows"
    at = f"({index[0]} * {turned[1]} + {index[1]}) * {turned[2]} + {index[2]}"
    if rows == sizes[1] and rng.random() < 0.5:
        joined = (turned[0], turned[1] * turned[2]) if rng.random() < 0.5 else (turned[0] * turned[1], turned[2])
        result, mask = f"tl.reshape({result}, {joined})", "True"
        at = f"tl.arange(0, {joined[0]})[:, None] * {joined[1]} + tl.arange(0, {joined[1]})[None, :]"
    stored = f"y_ptr + {at}, {result}" + (f", mask={mask}" if mask != "True" else "")
    text = f"""def kernel(x_ptr, a_ptr, y_ptr, rows, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    deep = tl.arange(0, A)[:, None, None]
    row = tl.arange(0, B)[None, :, None]
    column = tl.arange(0, C)[None, None, :]
    x = tl.load(x_ptr + (deep * B + row) * C + column, mask=row < rows, other=0.0).to(tl.float32)
    a = tl.load(a_ptr + tl.arange(0, C)).to(tl.float32)
{steps}    tl.store({stored})
"""
    return Case(text, (1, ), inputs(rng, dtype, sizes, sizes[2]) + blank(dtype, int(np.prod(sizes))), 1, [rows],
                dict(zip("ABC", sizes)))


def elements_kernel(rng, dtype):
    """Elements that an index from memory finds, one a lane, some masked."""
    n, table, block = rng.choice([7, 32, 100, 1025]), rng.choice([5, 40, 300]), rng.choice([32, 64, 256])
    step, first = rng.choice([1, 1, 2, 3]), rng.choice([0, 0, 4])
    body = Body(rng, ["x", "w"], ["tl.max(w, axis=0)"], ["lane % 2 == 0", "id > 2"])
    steps = body.steps(rng.randint(0, 4))
    mask = rng.choice(["lane < n", "lane < n", "(lane < n) & (id < limit)", "(lane < n) & (w > 0.0)"])
    text = f"""def kernel(x_ptr, id_ptr, w_ptr, y_ptr, n, limit, BLOCK: tl.constexpr):
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    id = tl.load(id_ptr + lane, mask=lane < n, other=0)
    w = tl.load(w_ptr + lane, mask=lane < n, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + {first} + id * {step}, mask={mask}, other={rng.choice([0.0, -2.0])}).to(tl.float32)
{steps}    tl.store(y_ptr + lane, {body.tiles[-1]}, mask=lane < n)
"""
    x, w = inputs(rng, dtype, first + table * step, n)
    ids = numbers(rng).integers(0, table, n).astype(rng.choice([np.int32, np.int64]))
    return Case(text, (-(-n // block), ), [x, ids, w] + blank(dtype, n), 1, [n, table // 2], {"BLOCK": block})


FAMILIES = {"divided": divided_kernel, "turned": turned_kernel, "elements": elements_kernel}
