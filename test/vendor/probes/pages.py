# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Can a kernel read parts of pages and place bf16 lanes by plain stores?"""
import sys

import ml_dtypes
import numpy as np
import ttnn

import device as vendor

ALIGNMENT = {"wormhole": 32, "blackhole": 64}  # of reads from DRAM, bytes


def main():
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((32, 100)).astype(ml_dtypes.bfloat16).astype(np.float32)
    right = True
    with vendor.Device() as device:
        source = device.tensor(matrix, layout=ttnn.ROW_MAJOR_LAYOUT)
        for column in (0, 3, 32, 45):
            result = device.empty([32, 32])
            arguments = [
                source.buffer_address(),
                column,
                ALIGNMENT[device.arch],
                result.buffer_address(),
            ]
            kernel = vendor.kernel(
                "pages.cpp",
                ttnn.ReaderConfigDescriptor(),
                arguments,
                vendor.accessor(source) + vendor.accessor(result),
            )
            buffers = [vendor.buffer(0, 1), vendor.buffer(1, 1)]
            device.run([source, result], [kernel], buffers)
            equal = np.array_equal(vendor.numbers(result), matrix[:, column : column + 32])
            print("right:" if equal else "WRONG:", "columns from", column, flush=True)
            right &= equal
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
