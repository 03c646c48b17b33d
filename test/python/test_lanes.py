# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What combines, takes apart and numbers lanes means what numpy says."""
import drawloom
import numpy as np
import pytest
from drawloom import array
from kernels import lanes
from kernels.line import BF16, F32, checked, programs_text, report

I32 = np.int32


def interpreted(kernel, grid, *arguments, **constants):
    report(kernel, grid, *arguments, asked={"command": "interpret"}, **constants)


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(F32)


@pytest.mark.parametrize("columns,reverse", [(64, False), (150, False), (64, True)])
def test_prefix_sums(columns, reverse):
    x, y = numbers(40, columns), np.zeros((40, columns), F32)
    interpreted(lanes.cumsum_rows, (40, ), array(x), array(y), columns, BLOCK=64, REVERSE=reverse)
    exact = x.astype(float)
    expected = np.flip(np.flip(exact, 1).cumsum(1), 1) if reverse else exact.cumsum(1)
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-5)


def test_scans_down_columns():
    a, b, h = np.abs(numbers(64, 32)) / 2, numbers(64, 32, seed=1), np.zeros((64, 32), F32)
    interpreted(lanes.recurrence, (1, ), array(a), array(b), array(h), STEPS=64, WIDTH=32)
    state, expected = np.zeros(32), []
    for step in range(64):
        state = a[step].astype(float) * state + b[step]
        expected.append(state)
    np.testing.assert_allclose(h, expected, rtol=1e-5, atol=1e-6)
    x, y = 1 + a / 10, np.zeros((64, 32), F32)
    interpreted(lanes.cumprod_columns, (1, ), array(x), array(y), ROWS=64, COLUMNS=32)
    np.testing.assert_allclose(y, x.astype(float).cumprod(0), rtol=1e-5)


def test_reductions_of_tuples():
    x, mean, variance = numbers(50, 128), np.zeros(50, F32), np.zeros(50, F32)
    interpreted(lanes.moments, (50, ), array(x), array(mean), array(variance), BLOCK=128)
    np.testing.assert_allclose(mean, x.astype(float).mean(1), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(variance, x.astype(float).var(1), rtol=1e-5)


def test_places_of_extremes():
    x = np.round(numbers(40, 100) * 2) / 2  # with ties: the first counts
    top, where, bottom = np.zeros(40, F32), np.zeros(40, I32), np.zeros(40, I32)
    arguments = array(x), array(top), array(where), array(bottom), 100
    assert "tile.grid [2]" in programs_text(lanes.extremes, (40, ), *arguments, to="tile", BLOCK=128)
    interpreted(lanes.extremes, (40, ), *arguments, BLOCK=128)
    np.testing.assert_array_equal(top, x.max(1))
    np.testing.assert_array_equal(where, x.argmax(1))
    np.testing.assert_array_equal(bottom, x.argmin(1))


def test_pairs_are_loaded_and_stored_apart():
    x, c, s = numbers(50, 64), numbers(50, 32, seed=1), numbers(50, 32, seed=2)
    y = np.zeros((50, 64), F32)
    arguments = array(x), array(c), array(s), array(y), 50
    text = programs_text(lanes.rope_pairs, (2, ), *arguments, to="tile", BLOCK=32, WIDTH=64)
    assert text.count("tile.load %x_ptr") == 2 and text.count("tile.store") == 2
    assert "tensor.expand_shape" not in text and "arith.select" not in text
    interpreted(lanes.rope_pairs, (2, ), *arguments, BLOCK=32, WIDTH=64)
    a, b = x[:, 0::2].astype(float), x[:, 1::2].astype(float)
    expected = np.stack([a * c - b * s, b * c + a * s], axis=2).reshape(50, 64)
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-6)


def test_parts_of_what_is_computed():
    x, y, z = numbers(64), np.zeros(64, F32), np.zeros(64, F32)
    interpreted(lanes.parts_of_sum, (1, ), array(x), array(y), array(z), BLOCK=64)
    sums = x.astype(float).cumsum()
    np.testing.assert_allclose(y, np.concatenate([sums[1::2], sums[0::2]]), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(z, sums.reshape(32, 2)[:, ::-1].reshape(64), rtol=1e-5, atol=1e-6)


def philox(seed, counter):
    """The first word of Philox4x32-10 for each counter, from its definition."""
    key = [np.uint64(seed), np.uint64(0)]
    words = [counter.astype(np.uint64)] + [np.zeros(counter.shape, np.uint64)] * 3
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        first, second = np.uint64(0xD2511F53) * words[0], np.uint64(0xCD9E8D57) * words[2]
        words = [(second >> np.uint64(32)) ^ words[1] ^ key[0], second & low,
                 (first >> np.uint64(32)) ^ words[3] ^ key[1], first & low]
        key = [(key[0] + np.uint64(0x9E3779B9)) & low, (key[1] + np.uint64(0xBB67AE85)) & low]
    return words[0].astype(np.uint32).view(I32)


def test_random_numbers_are_philox():
    y = np.zeros(200, F32)
    interpreted(lanes.random, (4, ), array(y), 200, 42, BLOCK=64)
    word = philox(42, np.arange(200)).astype(float)
    np.testing.assert_allclose(y, np.where(word < 0, -word - 1, word) * 4.6566127342e-10, rtol=1e-6)


def test_integers_of_four_bits():
    words = np.random.default_rng(0).integers(-2**31, 2**31, 32).astype(I32)
    y = np.zeros((32, 8), F32)
    interpreted(lanes.unpack, (1, ), array(words), array(y), BLOCK=32)
    np.testing.assert_array_equal(y, ((words[:, None] >> (4 * np.arange(8))) & 15) - 8)


def test_products_of_a_batch():
    a, b, c = numbers(4, 16, 32), numbers(4, 32, 16, seed=1), np.zeros((16, 64), F32)
    interpreted(lanes.products, (1, ), array(a), array(b), array(c), B=4, M=16, N=16, K=32)
    expected = (a.astype(float) @ b.astype(float)).transpose(1, 0, 2).reshape(16, 64)
    np.testing.assert_allclose(c, expected, rtol=1e-5, atol=1e-5)


def test_tiles_of_five_axes():
    x, y = numbers(1024), np.zeros(1024, F32)
    interpreted(lanes.five_axes, (1, ), array(x), array(y))
    expected = x.reshape(2, 4, 1, 8, 16).transpose(4, 2, 0, 3, 1).reshape(1024)
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("n", [20, 100])
def test_masks_by_digits_of_lanes(n):
    x, y, lane = numbers(n), np.zeros(n, F32), np.arange(n)
    checked(lanes.some_lanes, (-(-n // 64), ), array(x), array(y), n, BLOCK=64)
    kept = np.where(lane % 4 > 0, x, -1)
    np.testing.assert_array_equal(y, np.where(lane // 8 % 2 == 0, kept, 2 * kept))


def test_masks_by_digits_of_rows_and_columns():
    x, y = numbers(32, 70), np.zeros((32, 64), F32)
    checked(lanes.some_of_a_tile, (1, ), array(x), array(y), 70, ROWS=32, COLUMNS=64)
    row, column = np.indices((32, 64))
    kept = np.where(column % 8 > 2, x[:, :64], np.float32(0.5))
    np.testing.assert_array_equal(y, np.where((row % 2 == 0) & (column > 9), kept, kept + 1))


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("length", [333, 334])
def test_windows_that_step(length, machine):
    x, y = numbers(length), np.zeros((length + 1) // 2, F32)
    checked(lanes.max_pool, (-(-y.size // 64), ), array(x), array(y), length, y.size, BLOCK=64, asked={"machine": machine})
    padded = np.pad(x, 1, constant_values=-np.inf)
    np.testing.assert_array_equal(y, [padded[2 * i:2 * i + 3].max() for i in range(y.size)])


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("images, H, W, step", [(1, 20, 20, 1), (2, 20, 24, 2), (2, 19, 21, 2), (1, 17, 22, 3)])
def test_windows_of_an_image(images, H, W, step, machine):
    x, outs = numbers(images, H, W), [-(-extent // step) for extent in (H, W)]
    y = np.zeros((images, *outs), F32)
    checked(lanes.max_pool_2d, (images, 2), array(x), array(y), H, W, *outs, STEP=step, BH=16, BW=32,
            asked={"machine": machine})
    padded = np.pad(x, ((0, 0), (1, 3), (1, 3)), constant_values=-np.inf)
    windows = [padded[:, i::step, j::step][:, :outs[0], :outs[1]] for i in range(3) for j in range(3)]
    np.testing.assert_array_equal(y, np.max(windows, axis=0))


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("columns, first", [(33, 8), (40, 0), (64, 1)])
def test_columns_from_right_to_left(columns, first, machine):
    x, y = numbers(50, columns), np.zeros((50, columns), F32)
    checked(lanes.mirrored_columns, (2, ), array(x), array(y), 50, columns, first, BM=64, BN=32,
            asked={"machine": machine})
    expected = np.where(np.arange(columns) >= first, x, 0)[:, ::-1]
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_rows_of_two_lengths_in_one_array(machine):
    x, y = numbers(6, 4, 50), np.zeros((6, 4, 50), F32)
    checked(lanes.centred_parts, (6, ), array(x), array(y), 200, 4, BLOCK=64, asked={"machine": machine})
    exact = x.astype(float)
    np.testing.assert_allclose(y, exact - exact.mean(axis=(1, 2), keepdims=True), atol=2e-3)


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("programs", [1, 3])
def test_tiles_in_turn_of_an_array_behind_its_pointer(programs, machine):
    rows, columns = 70, 33
    x, c, y = numbers(33 + rows * 66), numbers(rows, seed=1), np.zeros((rows, columns), F32)
    checked(lanes.gapped_tiles, (programs, ), array(x), array(c), array(y), rows, columns, BM=32, BN=32,
            asked={"machine": machine})
    expected = x[33:].reshape(rows, 66)[:, ::2].astype(float) + c[:, None]
    np.testing.assert_allclose(y, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
@pytest.mark.parametrize("tokens,columns,block,short", [(32, 32, 16, 0), (40, 20, 32, 5)])
def test_rows_by_number_of_an_array_in_columns(tokens, columns, block, short, machine):
    """The last column may end early where no row needs more of it."""
    table, y = numbers(columns, 48), np.zeros((tokens, columns), F32)
    x = table.reshape(-1)[:columns * 48 - short].copy()
    ids = np.random.default_rng(1).integers(0, 48 - short, tokens).astype(I32)
    checked(lanes.gathered_columns, (-(-tokens // block), ), array(x), array(ids), array(y), tokens, columns, 48,
            BLOCK=block, WIDTH=32, asked={"machine": machine})
    np.testing.assert_array_equal(y, table[:, ids].T)


@pytest.mark.parametrize("known", [97, 70])  # 70: a program without any
def test_rows_by_numbers_that_are_masked(known):
    x, y = numbers(50, 32), np.zeros((100, 32), F32)
    ids = np.random.default_rng(2).integers(0, 50, 100).astype(I32)
    checked(lanes.numbered_rows, (4, ), array(x), array(ids[:known].copy()), array(y), 100, known, OTHER=7, BLOCK=32,
            WIDTH=32)
    np.testing.assert_array_equal(y, x[np.where(np.arange(100) < known, ids, 7)])


@pytest.mark.parametrize("known", [97, 70])
def test_rows_to_numbers_that_are_masked(known):
    x, y = numbers(100, 32), np.zeros((100, 32), F32)
    ids = np.random.default_rng(2).permutation(100).astype(I32)
    checked(lanes.rows_to_numbers, (4, ), array(x), array(ids[:known].copy()), array(y), known, 100, BLOCK=32, WIDTH=32)
    expected = np.zeros_like(y)
    expected[ids[:known]] = x[:known]
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("n, block", [(250, 128), (3000, 2048)])
def test_a_vector_looked_up(n, block):
    index, table, x = np.random.default_rng(3).integers(0, 256, n).astype(I32), numbers(256), numbers(n, seed=1)
    y = np.zeros(n, F32)
    checked(lanes.look_up_vector, (-(-n // block), ), array(index), array(table), array(x), array(y), n, BLOCK=block)
    np.testing.assert_allclose(y, table[index] + x, rtol=1e-6)


def test_digits_of_a_row():
    x, y, column = numbers(1, 64), np.zeros((1, 64), F32), np.arange(64)
    checked(lanes.digits_of_a_row, (1, ), array(x), array(y), N=64)
    np.testing.assert_allclose(y, x * (column % 7 + 10 * (column // 9)), rtol=1e-6)


@pytest.mark.parametrize("dtype", [F32, BF16])
def test_elements_looked_up_at_both_ends(dtype):
    rng, n = np.random.default_rng(5), 100
    source, target = (rng.permutation(256)[:n].astype(I32) for _ in range(2))
    x, y = numbers(256).astype(dtype), np.zeros(256, dtype)
    checked(lanes.look_up_both_ways, (2, ), array(source), array(target), array(x), array(y), n, BLOCK=64)
    expected = np.zeros_like(y)
    expected[target] = 2 * x[source]
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("n", [290, 999])
def test_lanes_numbered_beyond_what_bf16_holds(n):
    x, y = numbers(32 * 32).astype(BF16).reshape(32, 32), np.zeros((32, 32), BF16)
    checked(lanes.first_numbered, (1, ), array(x), array(y), n, ROWS=32, COLUMNS=32)
    row, column = np.indices(x.shape)
    expected = np.where(row * 32 + column < n, x + x, np.where(column // 2 >= row // 4, x, BF16.type(-1)))
    np.testing.assert_array_equal(y, expected)


def test_lanes_numbered_beyond_what_floats_hold():
    first, n = 20000001, 63 * 1000003
    x, number, y = numbers(128), np.zeros(128, I32), np.zeros(128, F32)
    checked(lanes.far_numbers, (1, ), array(x), array(number), array(y), first, n, BLOCK=128)
    np.testing.assert_array_equal(number, first + np.arange(128))
    np.testing.assert_array_equal(y, np.where(np.arange(128) < 63, x, -1))


@pytest.mark.parametrize("dtype, n", [(F32, 128), (BF16, 77)])
def test_lanes_that_a_remainder_leaves(dtype, n):
    x, y = numbers(128).astype(dtype), np.full(128, 7, dtype)
    checked(lanes.every_fourth_pair, (1, ), array(x), array(y), n, BLOCK=128)
    lane = np.arange(128)
    read = np.where((lane // 2 % 4 == 1) & (lane // 4 < n // 5), x, dtype.type(-1))
    np.testing.assert_array_equal(y, np.where((lane % 2 == 0) & (lane < n), read, dtype.type(7)))


def test_numbers_to_look_up_lie_along_a_line():
    index, table, y = np.arange(64, dtype=I32), numbers(64), np.zeros(64, F32)
    with pytest.raises(drawloom.CompileError, match="do not lie along a line of their array"):
        report(lanes.look_up_backwards, (1, ), array(index), array(table), array(y), BLOCK=64)


def test_masks_of_lanes_or_of_whole_programs():
    x, y = array(numbers(3, 64)), array(np.zeros((3, 64), F32))
    checked(lanes.some_or_all, (3, ), x, y, 10, BLOCK=64)
    expected = np.where((np.arange(64) < 10) | (np.arange(3) == 1)[:, None], x, 7)
    assert np.array_equal(y, expected)


@pytest.mark.parametrize("machine", ["wormhole", "blackhole"])
def test_programs_of_one_lane(machine):
    """Many of them make a column, which lies in tiles as a row."""
    x, y, z = (array(numbers(37, seed=seed)) for seed in (1, 2, 3))
    checked(lanes.add_one, (37, ), x, y, z, asked={"machine": machine})
    np.testing.assert_allclose(z, x + y, rtol=1e-6)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_loops_that_may_not_run(n):
    y = array(np.zeros(64, F32))
    checked(lanes.halves_in_turn, (1, ), y, n, BLOCK=64)
    assert np.array_equal(y, (np.arange(64) + 2) / 2**n)
