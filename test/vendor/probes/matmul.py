# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are the ways to multiply 64x64 by 64x64 equal bit for bit?

Compared with matmul_tiles: matmul_block; partial sums that leave Dst and come
back; B stored transposed; A stored transposed and turned first.
"""
import sys

import ml_dtypes
import numpy as np
import ttnn

import device as vendor

EXTENTS = [2, 2, 2]  # rows, depth, columns in tiles


def tiles_transposed(matrix):
    """Each 32x32 tile transposed where it is."""
    grid = matrix.reshape(2, 32, 2, 32)
    return grid.transpose(0, 3, 2, 1).reshape(64, 64)


def product(device, a, b, source, dtype, extra=None, defines=(), straight=(), fp32=True):
    operands = [device.tensor(a), device.tensor(b)]
    result = device.empty([64, 64], dtype)
    kernel = vendor.kernel(
        source,
        vendor.compute(fp32_dst=fp32, straight_to_dst=straight),
        compile_time=EXTENTS,
        defines=defines,
    )
    buffers = [vendor.buffer(24, 4, extra)] if extra else []
    return vendor.run_on_one_core(device, operands, result, kernel, buffers)


def report(question, left, right):
    equal = np.array_equal(left, right)
    same = np.count_nonzero(left == right)
    print(f"{'equal' if equal else 'DIFFERENT'}: {question} ({same} of {left.size})", flush=True)
    return equal


def main():
    rng = np.random.default_rng(0)
    a, b = (
        rng.standard_normal((64, 64)).astype(ml_dtypes.bfloat16).astype(np.float32)
        for _ in range(2)
    )
    fp32, bf16 = ttnn.float32, ttnn.bfloat16
    transpose = [("TRANSPOSE", "1")]
    equal = True
    with vendor.Device() as device:
        for dtype in (fp32, bf16):
            tiles = product(device, a, b, "matmul_tiles.cpp", dtype)
            block = product(device, a, b, "matmul_block.cpp", dtype)
            equal &= report(f"matmul_block, {dtype}", block, tiles)
            spill = product(device, a, b, "matmul_spill.cpp", dtype, fp32, straight=[24])
            equal &= report(f"fp32 partials straight to Dst, {dtype}", spill, tiles)
            through = product(device, a, b, "matmul_spill.cpp", dtype, fp32)
            report(f"(expected to differ) fp32 partials through SrcA, {dtype}", through, tiles)
            right = product(device, a, b.T, "matmul_tiles.cpp", dtype, defines=transpose)
            equal &= report(f"B transposed, matmul_tiles, {dtype}", right, tiles)
            right = product(device, a, tiles_transposed(b), "matmul_block.cpp", dtype, defines=transpose)
            equal &= report(f"B's tiles transposed, matmul_block, {dtype}", right, tiles)
            left = product(device, a.T, b, "matmul_transposed_left.cpp", dtype, bf16)
            equal &= report(f"A transposed by transpose_tile, {dtype}", left, tiles)
        tiles = product(device, a, b, "matmul_tiles.cpp", bf16, fp32=False)
        block = product(device, a, b, "matmul_block.cpp", bf16, fp32=False)
        equal &= report("matmul_block, bf16 Dst", block, tiles)
        spill = product(device, a, b, "matmul_spill.cpp", bf16, bf16, fp32=False)
        equal &= report("bf16 partials, bf16 Dst", spill, tiles)
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
