# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose accesses, lengths and masks come from memory."""
import numpy as np
from kernels.random_kernels.body import Body, reductions
from kernels.random_kernels.case import Case, blank, inputs, matrix, numbers


def gather_kernel(rng, dtype):
    """Rows found through a table of indices; results back in order or scattered."""
    tokens, rows, columns = rng.choice([7, 32, 50]), rng.choice([16, 40]), rng.choice([20, 32, 64])
    width, block = 1 << (columns - 1).bit_length(), rng.choice([16, 32])
    table = matrix(rng, rows, columns)
    scatter = rng.random() < 0.3
    values = numbers(rng)
    ids = values.permutation(tokens) if scatter else values.integers(0, rows, tokens)
    found, put = ("token", "id") if scatter else ("id", "token")
    rows = tokens if scatter else rows
    table = matrix(rng, rows, columns)
    body = Body(rng, ["x"], ["w[None, :]"], ["column[None, :] < 17"], ["id[:, None]"] if rng.random() < 0.5 else ())
    steps = body.steps(rng.randint(0, 4), reductions([(1, width, "[:, None]")]))
    integer = rng.choice([np.int32, np.int64])
    text = f"""def kernel(x_ptr, id_ptr, w_ptr, y_ptr, tokens, columns, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    token = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.arange(0, WIDTH)
    inside = (token[:, None] < tokens) & (column[None, :] < columns)
    id = tl.load(id_ptr + token, mask=token < tokens, other=0)
    w = tl.load(w_ptr + column, mask=column < columns, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + {table.at(f"{found}[:, None]", "column[None, :]")}, mask=inside, other=0.0).to(tl.float32)
{steps}    tl.store(y_ptr + {put}[:, None] * columns + column[None, :], {body.tiles[-1]}, mask=inside)
"""
    (x, w) = inputs(rng, dtype, table.size, columns)
    return Case(text, (-(-tokens // block), ), [x, ids.astype(integer), w] + blank(dtype, (tokens, columns)), 1,
                [tokens, columns], {"BLOCK": block, "WIDTH": width})


def lengths_kernel(rng, dtype):
    """A sequence a program: where it starts and ends is read from memory, maybe its pages too."""
    parts, columns, block = rng.choice([1, 3, 5]), rng.choice([20, 32, 64]), rng.choice([16, 32])
    width = 1 << (columns - 1).bit_length()
    lengths = numbers(rng).integers(0, 70, parts)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    body = Body(rng, ["x"], ["w[None, :]"], ["place[:, None] % 2 == 0", "place[:, None] - first < 10"], indent="        ")
    steps = body.steps(rng.randint(0, 3))
    text = f"""def kernel(x_ptr, start_ptr, w_ptr, y_ptr, columns, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    part = tl.program_id(0)
    first = tl.load(start_ptr + part)
    last = tl.load(start_ptr + part + 1)
    column = tl.arange(0, WIDTH)
    w = tl.load(w_ptr + column, mask=column < columns, other=0.0).to(tl.float32)
    total = tl.zeros((WIDTH, ), tl.float32)
    for at in range(first, last, BLOCK):
        place = at + tl.arange(0, BLOCK)
        inside = (place[:, None] < last) & (column[None, :] < columns)
        x = tl.load(x_ptr + place[:, None] * columns + column[None, :], mask=inside, other=0.0).to(tl.float32)
{steps}        total += tl.sum(tl.where(place[:, None] < last, {body.tiles[-1]}, 0.0), axis=0) * 0.1
    tl.store(y_ptr + part * columns + column, total, mask=column < columns)
"""
    x, w = inputs(rng, dtype, (max(int(starts[-1]), 1), columns), columns)
    return Case(text, (parts, ), [x, starts, w] + blank(dtype, (parts, columns)), 1, [columns],
                {"BLOCK": block, "WIDTH": width})


def masked_kernel(rng, dtype):
    """Lanes kept by a mask from memory or by the data themselves."""
    n, block = rng.choice([20, 64, 100]), rng.choice([32, 64])
    keep = numbers(rng).integers(0, 2, n).astype(rng.choice([np.int8, np.int32]))
    body = Body(rng, ["x"], (), ["lane % 4 > 0", "keep != 0"])
    steps = body.steps(rng.randint(1, 4))
    mask = rng.choice(["(lane < n) & (keep != 0)", "lane < n", "(lane < n) & (x > 0)"])
    text = f"""def kernel(x_ptr, keep_ptr, y_ptr, n, BLOCK: tl.constexpr):
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.load(keep_ptr + lane, mask=lane < n, other=0)
    x = tl.load(x_ptr + lane, mask=lane < n, other=0.0).to(tl.float32)
{steps}    tl.store(y_ptr + lane, {body.tiles[-1]}, mask={mask})
"""
    x, y = inputs(rng, dtype, n, n)
    # What is there is read and stored again; the packer makes infinities of NaN.
    return Case(text, (-(-n // block), ), [x, keep, y], 1, [n], {"BLOCK": block})


FAMILIES = {"gather": gather_kernel, "lengths": lengths_kernel, "masked": masked_kernel}
