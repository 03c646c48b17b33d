# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels on vectors: flat arrays of any length, arrays updated in place, loops whose bounds memory holds."""
import numpy as np
from kernels.random_kernels.body import Body
from kernels.random_kernels.case import F32, Case, blank, inputs, numbers

# One lane, none too many, one too many: of a tile's side and of a whole tile.
LENGTHS = [1, 2, 31, 32, 33, 63, 65, 100, 1023, 1024, 1025, 1056, 2049]
EXTREMES = ["tl.max(x, axis=0)", "tl.min(x, axis=0)", "tl.sum(x, axis=0) * 0.03125", "tl.max(tl.abs(x), axis=0)"]


def flat_kernel(rng, dtype):
    """A block a program, walked from either end; a statistic of each as a second output."""
    n, block = rng.choice(LENGTHS), rng.choice([32, 64, 256, 1024])
    place = rng.choice(["lane", "lane", "(n - 1 - lane)"])
    body = Body(rng, ["x", "w"], ["most"], ["lane % 3 == 0", "lane < 40", "x >= most", "x == most"], ["(lane % 64)"])
    steps = body.steps(rng.randint(1, 5))
    text = f"""def kernel(x_ptr, w_ptr, y_ptr, s_ptr, n, BLOCK: tl.constexpr):
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + {place}, mask=lane < n, other=0.0).to(tl.float32)
    w = tl.load(w_ptr + lane, mask=lane < n, other=1.0).to(tl.float32)
    most = {rng.choice(EXTREMES)}
{steps}    tl.store(y_ptr + {place}, {body.tiles[-1]}, mask=lane < n)
    tl.store(s_ptr + tl.program_id(0), most)
"""
    programs = -(-n // block)
    return Case(text, (programs, ), inputs(rng, dtype, n, n) + blank(dtype, n) + blank(F32, programs), 2, [n],
                {"BLOCK": block})


def inplace_kernel(rng, dtype):
    """Rows that are read and written again, maybe twice."""
    rows, columns = rng.choice([1, 20, 33, 64]), rng.choice([1, 31, 33, 64, 100])
    block = max(16, 1 << (columns - 1).bit_length())
    times = rng.choice([1, 1, 2])
    body = Body(rng, ["x"], ["most"], ["column % 2 == 0", "column > row", "x == most"], indent="        ")
    steps = body.steps(rng.randint(1, 3))
    text = f"""def kernel(x_ptr, columns, times, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    for time in range(times):
        x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=-4.0).to(tl.float32)
        most = tl.max(x, axis=0)
{steps}        tl.store(x_ptr + row * columns + column, {body.tiles[-1]} * 0.5, mask=column < columns)
"""
    return Case(text, (rows, ), inputs(rng, dtype, (rows, columns)), 1, [columns, times], {"BLOCK": block})


def ragged_kernel(rng, dtype):
    """Groups of sequences: two loops, both bounds from memory, many of them empty."""
    groups, columns = rng.choice([1, 3, 5]), rng.choice([20, 32, 33])
    width, block = 1 << (columns - 1).bit_length(), rng.choice([16, 32])
    values, integer = numbers(rng), rng.choice([np.int32, np.int64])
    members = np.concatenate([[0], np.cumsum(values.integers(0, 4, groups))])
    starts = np.concatenate([[0], np.cumsum(values.choice([0, 1, 15, 16, 17, 33], max(int(members[-1]), 1)))])
    body = Body(rng, ["x"], ["best[None, :]"], ["place[:, None] % 2 == 0", "place[:, None] > first"],
                indent=" " * 12)
    steps = body.steps(rng.randint(0, 3))
    text = f"""def kernel(x_ptr, member_ptr, start_ptr, y_ptr, columns, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    group = tl.program_id(0)
    column = tl.arange(0, WIDTH)
    total = tl.zeros((WIDTH, ), tl.float32)
    for member in range(tl.load(member_ptr + group), tl.load(member_ptr + group + 1)):
        first = tl.load(start_ptr + member)
        last = tl.load(start_ptr + member + 1)
        best = tl.full((WIDTH, ), -3.0, tl.float32)
        for at in range(first, last, BLOCK):
            place = at + tl.arange(0, BLOCK)
            inside = (place[:, None] < last) & (column[None, :] < columns)
            x = tl.load(x_ptr + place[:, None] * columns + column[None, :], mask=inside, other=-2.0).to(tl.float32)
            best = tl.maximum(best, tl.max(x, axis=0))
{steps}            total += tl.sum(tl.where(place[:, None] < last, {body.tiles[-1]}, 0.0), axis=0) * 0.05
        total = total * 0.5 + best
    tl.store(y_ptr + group * columns + column, total, mask=column < columns)
"""
    (x, ) = inputs(rng, dtype, (max(int(starts[-1]), 1), columns))
    return Case(text, (groups, ), [x, members.astype(integer), starts.astype(integer)] + blank(dtype, (groups, columns)),
                1, [columns], {"BLOCK": block, "WIDTH": width})


FAMILIES = {"flat": flat_kernel, "inplace": inplace_kernel, "ragged": ragged_kernel}
