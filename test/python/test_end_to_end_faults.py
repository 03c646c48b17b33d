# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults that compilers of tile kernels are known to have: each must be right here."""
import drawloom
import ml_dtypes
import numpy as np
import pytest
import triton
from kernels import elementwise, products
from kernels.line import BF16, F32, assert_near, checked, normal, wide, zeros

SENTINEL = 77.0


def blocks(*sizes, block=32):
    return tuple(triton.cdiv(size, block) for size in sizes)


@pytest.mark.parametrize("dtype", [BF16, F32], ids=str)
@pytest.mark.parametrize("n", [1, 20, 1000, 1025])
def test_what_lies_behind_n_survives(n, dtype):
    """Operands and result are one allocation, sentinels between them."""
    arena = np.full(4 * 4096, SENTINEL, dtype)
    x, y, z = (drawloom.array(arena[start:start + 2048]) for start in (0, 4096, 8192))
    x[:n], y[:n] = normal(1, n, dtype=dtype), normal(2, n, dtype=dtype)
    expected = arena.copy()
    checked(elementwise.add, blocks(n, block=1024), x, y, z, n, BLOCK=1024)
    assert_near(z[:n], wide(x[:n]) + wide(y[:n]))
    expected[8192:8192 + n] = arena[8192:8192 + n]
    assert arena.tobytes() == expected.tobytes()


def test_a_rectangle_inside_larger_arrays():
    """Rows and columns past the rectangle hold NaN on the way in, sentinels on the way out."""
    rows, columns = 45, 70
    x = drawloom.array(np.full((100, 128), np.nan, BF16))
    y = drawloom.array(np.full((100, 128), SENTINEL, BF16))
    x[:rows, :columns] = normal(3, rows, columns)
    checked(elementwise.copy_rectangle, blocks(rows, columns), x, y, 128, rows, columns, BM=32, BN=32)
    expected = np.full((100, 128), SENTINEL, BF16)
    expected[:rows, :columns] = x[:rows, :columns]
    assert y.tobytes() == expected.tobytes()


@pytest.mark.parametrize("M, N, K", [(100, 70, 50), (33, 65, 97)])
def test_two_remainders_and_long_offsets_in_a_product(M, N, K):
    a, b, c = normal(1, M, K), normal(2, K, N), zeros(M, N)
    checked(products.wrapped_product, blocks(M, N), a, b, c, M, N, K, BM=32, BN=32, BK=32)
    assert_near(c, wide(a) @ wide(b))


def test_two_remainders_in_one_address():
    x, y = normal(1, 45, 70), zeros(45, 70)
    checked(products.doubly_wrapped, blocks(45, 70), x, y, 45, 70, BM=32, BN=32)
    assert x.tobytes() == y.tobytes()


def test_long_offsets():
    x, y, z = normal(1, 5000), normal(2, 5000), zeros(5000)
    checked(elementwise.add_long, blocks(5000, block=1024), x, y, z, 5000, BLOCK=1024)
    assert_near(z, wide(x) + wide(y))


@pytest.mark.parametrize("other", [0.0, -1.5, float("-inf")])
@pytest.mark.parametrize("rows, columns, block", [(2, 8, (2, 16)), (7, 7, (32, 32)), (40, 33, (32, 32))])
def test_lanes_outside_read_as_other(rows, columns, block, other):
    grid = (triton.cdiv(rows, block[0]), triton.cdiv(columns, block[1]))
    x, y = normal(4, rows, columns), zeros(grid[0] * block[0], grid[1] * block[1])
    checked(elementwise.copy_padded, grid, x, y, rows, columns, OTHER=other, BM=block[0], BN=block[1])
    expected = np.full(y.shape, other)
    expected[:rows, :columns] = wide(x)
    np.testing.assert_array_equal(wide(y), expected)


def test_rows_that_are_not_stored_may_hold_nan():
    """The product's operands are parts of larger arrays full of NaN: no lane of them may leak."""
    M, N, K = 45, 37, 41
    a, b = (drawloom.array(np.full((100, 100), np.nan, BF16)) for _ in range(2))
    a[:M, :K], b[:K, :N] = normal(5, M, K), normal(6, K, N)
    c = drawloom.array(np.full((100, 100), SENTINEL, BF16))
    checked(products.product, blocks(M, N), a, b, c, M, N, K, 100, 1, 100, 1, 100, 1, BM=32, BN=32, BK=32)
    assert_near(c[:M, :N], wide(a[:M, :K]) @ wide(b[:K, :N]))
    assert (wide(c[M:]) == SENTINEL).all() and (wide(c[:, N:]) == SENTINEL).all()


def test_broadcasts_inside_an_expression():
    """(a[1, N] + b[1, N]) + (c[N, 1] + a[1, N]): rows and columns meet blocks."""
    rows, columns = 40, 70
    a, b, c, y = normal(1, columns), normal(2, columns), normal(3, rows), zeros(rows, columns)
    try:
        checked(elementwise.broadcasts, blocks(rows, columns), a, b, c, y, rows, columns, BM=32, BN=32)
    except drawloom.CompileError as error:
        assert "repeats a tile along other than its rows" in str(error)
    else:
        assert_near(y, 2 * wide(a)[None, :] + wide(b)[None, :] + wide(c)[:, None])


@pytest.mark.parametrize("rows, columns", [(1, 20), (4, 20)])
def test_blocks_of_one_row_are_refused_or_right(rows, columns):
    x, y = normal(4, rows, columns), zeros(rows, 32)
    try:
        checked(elementwise.copy_padded, (rows, 1), x, y, rows, columns, OTHER=-1.5, BM=1, BN=32)
    except drawloom.CompileError as error:
        assert "row by row" in str(error)
    else:
        assert (wide(y[:, :columns]) == wide(x)).all() and (wide(y[:, columns:]) == -1.5).all()


@pytest.mark.parametrize("dtype", [BF16, F32], ids=str)
@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_six_operands_in_half_of_dst(machine, dtype):
    n = 5000
    operands, y = [normal(i, n, dtype=dtype) for i in range(6)], zeros(n, dtype=dtype)
    checked(elementwise.fused, blocks(n, block=1024), *operands, y, n, DEEP=False, BLOCK=1024,
            asked={"machine": machine})
    a, b, c, d, e, f = map(wide, operands)
    assert_near(y, (np.exp(a) * b + np.exp(c) * d) * np.exp(e) * f, 2e-2)


@pytest.mark.parametrize("dtype", [BF16, F32], ids=str)
@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_more_live_tiles_than_half_of_dst_pass_through_l1(machine, dtype):
    n = 3000
    operands, y = [normal(i, n, dtype=dtype) for i in range(6)], zeros(n, dtype=dtype)
    checked(elementwise.fused, blocks(n, block=1024), *operands, y, n, DEEP=True, BLOCK=1024, asked={"machine": machine})
    a, b, c, d, e, f = map(wide, operands)
    ab, cd, ef = np.exp(a) * b, np.exp(c) * d, np.exp(e) * f
    assert_near(y, (ab + cd) * (ef + a) + (cd + ef) * (ab + c) + (ef + ab) * (cd + e), 2e-2)


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_fp32_is_not_run_as_less(machine):
    """1 - 3.0e-4: TF32 would give 0.99951, bf16 would give 1."""
    x, y = drawloom.array(np.ones(100, F32)), zeros(100, dtype=F32)
    checked(elementwise.subtract_constant, (1, ), x, y, 100, 3.0e-4, BLOCK=1024, asked={"machine": machine})
    assert np.abs(wide(y) - (1 - 3.0e-4)).max() < 1e-6


@pytest.mark.parametrize("K", [64, 512, 2048])
def test_the_error_of_a_sum_grows_no_faster_than_its_terms(K):
    """Positive operands, so that nothing cancels: the relative error stays that of a bf16 result
    (2^-9) plus what fp32 sums lose, however long the sum."""
    a, b = (drawloom.array(np.abs(normal(seed, *shape)).astype(BF16)) for seed, shape in ((1, (64, K)), (2, (K, 64))))
    c = zeros(64, 64)
    checked(products.product, blocks(64, 64), a, b, c, 64, 64, K, K, 1, 64, 1, 64, 1, BM=32, BN=32, BK=32)
    exact = wide(a) @ wide(b)
    assert (np.abs(wide(c) - exact) <= 2**-8 * exact + K * 2**-20 * exact).all()


def test_in_place():
    x, y = normal(1, 3000), normal(2, 3000)
    expected = wide(x) + wide(y)
    checked(elementwise.accumulate_in_place, blocks(3000, block=1024), x, y, 3000, BLOCK=1024)
    assert_near(x, expected)


def test_one_array_as_both_operands_and_result():
    x = normal(1, 3000)
    expected = 2 * wide(x)
    try:
        checked(elementwise.add, blocks(3000, block=1024), x, x, x, 3000, BLOCK=1024)
    except drawloom.CompileError as error:
        assert "overlap" in str(error)
    else:
        assert_near(x, expected)


def test_results_that_overlap_operands_are_refused_or_right():
    """z begins inside y: programs that run in another order would read what others wrote."""
    arena = drawloom.array(np.arange(4096).astype(ml_dtypes.bfloat16))
    before = arena.tobytes()
    with pytest.raises(drawloom.CompileError, match="overlap"):
        checked(elementwise.add, blocks(2048, block=1024), arena[:2048], arena[:2048], arena[1000:3048], 2048, BLOCK=1024)
    assert arena.tobytes() == before
