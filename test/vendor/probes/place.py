# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which processor and which network does each configuration give a kernel?"""
import numpy as np
import ttnn

import device as vendor

WORDS = ["processor", "noc", "x", "y", "logical x", "logical y", "page bytes", "L1"]


def configurations():
    """Pairs: what runs on the two processors of a core."""
    move, noc = ttnn.DataMovementConfigDescriptor, ttnn.NOC
    cpu = ttnn.DataMovementProcessor
    first, second = noc.RISCV_0_default, noc.RISCV_1_default
    return {
        "Reader and Writer": (ttnn.ReaderConfigDescriptor(), ttnn.WriterConfigDescriptor()),
        "RISCV_0 on NoC 0, RISCV_1 on NoC 1": (move(cpu.RISCV_0, first), move(cpu.RISCV_1, second)),
        "RISCV_0 on NoC 1, RISCV_1 on NoC 0": (move(cpu.RISCV_0, second), move(cpu.RISCV_1, first)),
    }


def main():
    core = (1, 2)
    unused = np.zeros((32, 32))
    cores = vendor.rectangle(*core, *core)
    with vendor.Device() as device:
        grid = device.handle.compute_with_storage_grid_size()
        print("grid", grid.x, "x", grid.y)
        for x, y in ((0, 0), core, (grid.x - 1, grid.y - 1)):
            print("logical", (x, y), "is at", device.network_coordinate(x, y))
        for title, pair in configurations().items():
            result = device.empty([2, 8], ttnn.uint32, ttnn.ROW_MAJOR_LAYOUT)
            kernels = [
                vendor.kernel(
                    "place.cpp",
                    config,
                    {core: [result.buffer_address(), page]},
                    [page, *vendor.accessor(result)],
                    cores,
                )
                for page, config in enumerate(pair)
            ]
            buffers = [vendor.buffer(index, 1, cores=cores) for index in range(2)]
            try:
                # The runtime wants an input, needed or not.
                device.run([device.tensor(unused), result], kernels, buffers)
            except RuntimeError as error:
                print(title, "is refused:", str(error).split("info:")[-1].strip().split("\n")[0])
                continue
            for row in np.array(result.cpu().to_list(), np.uint32):
                print(title, dict(zip(WORDS, row.tolist())), flush=True)


if __name__ == "__main__":
    main()
