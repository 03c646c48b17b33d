# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multicasts on both networks at once, as a matrix product needs them.

On 3 x 2 cores the first column sends along the rows on NoC 0 and the first row
sends along the columns on NoC 1; every core adds what it received from both.

Not tried: a sender inside its rectangle that is not written. The simulator counts
an answer from it all the same, and the kernel's barrier waits for ever.
"""
import sys

import ml_dtypes
import numpy as np
import ttnn

import device as vendor

COLUMNS, ROWS, PAGES = 3, 2, 4
CORES = [(x, y) for y in range(ROWS) for x in range(COLUMNS)]


def configuration(noc):
    """RISCV_1 on NoC 0, RISCV_0 on NoC 1: as Reader and Writer are."""
    return ttnn.WriterConfigDescriptor() if noc else ttnn.ReaderConfigDescriptor()


def corners(device, first, last, noc):
    """A rectangle's two corners in the order in which the network meets them:
    NoC 1 runs the other way."""
    a, b = device.network_coordinate(*first), device.network_coordinate(*last)
    return [*b, *a] if noc else [*a, *b]


def stream(device, noc, tensor, result, loopback):
    """The kernels by which one operand travels: of its senders, of the rest.
    With loopback the rectangle holds the sender, which is written like the rest."""
    # The axis along which it travels, and the number of cores on it.
    length = ROWS if noc else COLUMNS
    place = (lambda along, line: (line, along)) if noc else (lambda along, line: (along, line))
    lines = COLUMNS if noc else ROWS
    send, receive = {}, {}
    for line in range(lines):
        sender = place(0, line)
        rectangle = place(0 if loopback else 1, line), place(length - 1, line)
        send[sender] = [
            tensor.buffer_address(),
            line * PAGES,
            *corners(device, *rectangle, noc),
            length - 1,
        ]
        for along in range(1, length):
            receive[place(along, line)] = [*device.network_coordinate(*sender)]
    defines = [("LOOPBACK", "1")] if loopback else []
    compile_time = {"send": [noc, PAGES, *vendor.accessor(tensor)], "receive": [noc, PAGES]}
    if noc:  # also writes the results
        defines.append(("DRAIN", "1"))
        for arguments in (send, receive):
            for (x, y), values in arguments.items():
                values += [result.buffer_address(), (y * COLUMNS + x) * PAGES]
        for values in compile_time.values():
            values += vendor.accessor(result)
    return [
        vendor.kernel(
            f"multicast_{role}.cpp",
            configuration(noc),
            arguments,
            compile_time[role],
            bounding(arguments),
            defines,
        )
        for role, arguments in (("send", send), ("receive", receive))
    ]


def bounding(places):
    xs, ys = zip(*places)
    return vendor.rectangle(min(xs), min(ys), max(xs), max(ys))


def main():
    rng = np.random.default_rng(0)
    draw = lambda lines: rng.integers(-8, 9, (32 * lines, 32 * PAGES)).astype(np.float32)
    along_rows, along_columns = draw(ROWS), draw(COLUMNS)
    cores = vendor.rectangle(0, 0, COLUMNS - 1, ROWS - 1)
    expected = np.concatenate(
        [
            along_rows[32 * y : 32 * y + 32] + along_columns[32 * x : 32 * x + 32]
            for x, y in CORES
        ]
    )
    right = True
    with vendor.Device() as device:
        first, second = device.tensor(along_rows), device.tensor(along_columns)
        for loopback in (False, True):
            result = device.empty([32 * len(CORES), 32 * PAGES])
            kernels = [
                *stream(device, 0, first, result, loopback),
                *stream(device, 1, second, result, loopback),
                vendor.kernel("add_streams.cpp", vendor.compute(), {}, [PAGES], cores),
            ]
            buffers = [vendor.buffer(i, n, cores=cores) for i, n in ((0, 2), (1, 2), (16, PAGES))]
            semaphores = [
                ttnn.SemaphoreDescriptor(id=i, core_ranges=cores, initial_value=0)
                for i in range(4)
            ]
            device.run([first, second, result], kernels, buffers, semaphores)
            equal = np.array_equal(vendor.numbers(result), expected)
            title = "sender in the rectangle" if loopback else "sender apart"
            print("right:" if equal else "WRONG:", title, flush=True)
            right &= equal
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
