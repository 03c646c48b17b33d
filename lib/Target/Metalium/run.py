#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program beside this file with ttnn, on a card or a simulator of one.

    python run.py [--repeat N] [--fresh DIRECTORY]

Reads inputs/<array>.npy, writes outputs/<array>.npy, and compares those with
expected/<array>.npy where there is one. Files of bf16 arrays hold its bits in
uint16, of i1 arrays truth values. Exit status 1 if an output differs from what was expected.

What a launch leaves in L1 and in the units can hide that a program forgot to wait or
to set up. With --fresh it is launched again, on the inputs of another directory, which
gets outputs too.

program.json, written by Drawloom:
  program, machine   names
  grid               columns and rows of cores
  arrays             in the order of the kernels' arguments: name; role in, out
                     or inout; format bf16, fp32, i64, i32, i16, i8 or i1; shape; layout: "tiles" (a page
                     is a 32x32 tile) or "rows" (the last axis cut in pages of
                     page_elements elements); pages, their number
  buffers            circular buffers: name, id, format, tiles, tile_bytes;
                     direct: unpacked to Dst with all 32 bits, not by way of TF32;
                     operand_id: a second id of the same bytes, by way of TF32
  semaphores         name, id; zero at launch
  kernels            engine and source; data movers: processor, noc, and the arrays
                     they move in the order of their accessors; compute: fidelity
                     and whether Dst holds fp32
"""
import argparse
import json
import pathlib
import sys
import time

import numpy as np
import ttnn

HERE = pathlib.Path(__file__).resolve().parent
DTYPES = {"bf16": ttnn.bfloat16, "fp32": ttnn.float32, "i64": ttnn.uint32, "i32": ttnn.int32,
          "i16": ttnn.uint16, "i8": ttnn.uint8, "i1": ttnn.uint8}
# What tensors are made of: the vendor's small integers have no sign, and long ones
# are two words.
WORDS = {"bf16": np.float32, "fp32": np.float32, "i64": np.uint32, "i32": np.int32,
         "i16": np.uint16, "i8": np.uint8, "i1": np.uint8}
VALUES = {"bf16": np.float32, "fp32": np.float32, "i64": np.int64, "i32": np.int32,
          "i16": np.int16, "i8": np.int8, "i1": np.bool_}


# Values: files hold bits of bf16, tensors are made from and read as float32.


def from_bits(bits, form):
    if form == "bf16":
        return (bits.astype(np.uint32) << 16).view(np.float32)
    return bits.astype(VALUES[form])


def to_bits(values, form):
    if form == "bf16":
        return (values.view(np.uint32) >> 16).astype(np.uint16)
    return values


# Arrays and the tensors that hold them on the device.


def tensor_shape(array):
    """What ttnn is told: tiles need two axes, rows are a list of pages."""
    if array["layout"] == "rows":
        words = np.dtype(VALUES[array["format"]]).itemsize // np.dtype(WORDS[array["format"]]).itemsize
        return [array["pages"], array["page_elements"] * words]
    shape = array["shape"]
    return [1] * (2 - len(shape)) + shape


def to_pages(values, array):
    """An array's values as the tensor's words, in its shape."""
    words = WORDS[array["format"]]
    if array["layout"] == "tiles":
        return values.view(words).reshape(tensor_shape(array))
    rows = values.reshape(-1, values.shape[-1] if values.ndim else 1)
    padding = -rows.shape[1] % array["page_elements"]
    return np.pad(rows, ((0, 0), (0, padding))).view(words).reshape(tensor_shape(array))


def from_pages(words, array):
    shape, values = array["shape"], words.view(VALUES[array["format"]])
    if array["layout"] == "tiles":
        return values.reshape(shape)
    width = shape[-1] if shape else 1
    rows = values.reshape(np.prod(shape[:-1], dtype=int), -1)
    return np.ascontiguousarray(rows[:, :width]).reshape(shape)


def upload(device, array, directory):
    """The array's tensor, with its input or zeros."""
    path = directory / "inputs" / f"{array['name']}.npy"
    if path.exists():
        values = from_bits(np.load(path), array["format"])
    else:
        values = np.zeros(array["shape"], VALUES[array["format"]])
    layout = ttnn.TILE_LAYOUT if array["layout"] == "tiles" else ttnn.ROW_MAJOR_LAYOUT
    host = ttnn.Tensor(to_pages(values, array), DTYPES[array["format"]], None, layout)
    return host.to(device, ttnn.DRAM_MEMORY_CONFIG)


def download(tensor, array):
    """The array's values as the bits of its format."""
    host = tensor.cpu().to(ttnn.ROW_MAJOR_LAYOUT)
    words = np.array(host.to_list(), WORDS[array["format"]])
    return to_bits(from_pages(words, array), array["format"])


# The program.


def place(device, columns, rows):
    """Where the network finds each column and each row of cores."""
    at = lambda x, y: device.worker_core_from_logical_core(ttnn.CoreCoord(x, y))
    xs = [at(x, 0).x for x in range(columns)]
    ys = [at(0, y).y for y in range(rows)]
    for x in range(columns):
        for y in range(rows):
            if (at(x, y).x, at(x, y).y) != (xs[x], ys[y]):
                raise SystemExit("the chip's cores are not in columns and rows")
    return xs, ys


def mover_config(kernel):
    return ttnn.DataMovementConfigDescriptor(
        getattr(ttnn.DataMovementProcessor, kernel["processor"]),
        getattr(ttnn.NOC, f"RISCV_{kernel['noc']}_default"),
    )


def compute_config(kernel, buffers):
    config = ttnn.ComputeConfigDescriptor(
        math_fidelity=getattr(ttnn.MathFidelity, kernel["fidelity"]),
        fp32_dest_acc_en=kernel["fp32_dst"],
    )
    direct = [buffer["id"] for buffer in buffers if buffer["direct"]]
    if direct:
        descriptors = ttnn._ttnn.program_descriptor
        mode = descriptors.UnpackToDestMode
        modes = descriptors.VectorUnpackToDestMode([mode.Default] * 64)
        for index in direct:
            modes[index] = mode.UnpackToDestFp32
        config.unpack_to_dest_mode = modes
    return config


def kernel_descriptor(kernel, program, cores, tensors, common):
    columns, rows = program["grid"]
    coordinates = ttnn.RuntimeArgs()
    for x in range(columns):
        for y in range(rows):
            coordinates[x][y] = [x, y]
    accessors = []
    for name in kernel.get("arrays", []):
        accessors += ttnn.TensorAccessorArgs(tensors[name]).get_compile_time_args()
    compute = kernel["engine"] == "compute"
    return ttnn.KernelDescriptor(
        kernel_source=str(HERE / kernel["source"]),
        core_ranges=cores,
        compile_time_args=accessors,
        runtime_args=coordinates,
        common_runtime_args=common,
        config=compute_config(kernel, program["buffers"]) if compute else mover_config(kernel),
    )


def buffer_descriptor(buffer, cores):
    forms = [
        ttnn.CBFormatDescriptor(
            buffer_index=index,
            data_format=DTYPES[buffer["format"]],
            page_size=buffer["tile_bytes"],
        )
        for index in (buffer["id"], buffer.get("operand_id"))
        if index is not None
    ]
    size = buffer["tiles"] * buffer["tile_bytes"]
    return ttnn.CBDescriptor(total_size=size, core_ranges=cores, format_descriptors=forms)


def describe(program, device, tensors):
    columns, rows = program["grid"]
    corners = ttnn.CoreCoord(0, 0), ttnn.CoreCoord(columns - 1, rows - 1)
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(*corners)])
    addresses = [tensors[array["name"]].buffer_address() for array in program["arrays"]]
    xs, ys = place(device, columns, rows)
    # All buffers on all cores, in one order: then each has one address
    # everywhere, as multicasts need it.
    return ttnn.ProgramDescriptor(
        kernels=[
            kernel_descriptor(kernel, program, cores, tensors, addresses + xs + ys)
            for kernel in program["kernels"]
        ],
        semaphores=[
            ttnn.SemaphoreDescriptor(id=each["id"], core_ranges=cores, initial_value=0)
            for each in program["semaphores"]
        ],
        cbs=[buffer_descriptor(buffer, cores) for buffer in program["buffers"]],
    )


def launch(device, program, tensors):
    """Runs once; seconds from the call to the end on the device."""
    written = [array["name"] for array in program["arrays"] if array["role"] != "in"]
    # ttnn takes the last tensor for the output, and wants another before it.
    order = sorted(tensors, key=lambda name: name in written)
    operands = [tensors[name] for name in order]
    operands = operands if len(operands) > 1 else operands * 2
    descriptor = describe(program, device, tensors)
    begin = time.perf_counter()
    ttnn.generic_op(operands, descriptor)
    ttnn.synchronize_device(device)
    return time.perf_counter() - begin


# Results.


def verdict(found, array, directory):
    """A line on how the result compares, and whether it is as expected."""
    path = directory / "expected" / f"{array['name']}.npy"
    if not path.exists():
        return "written", True
    expected = np.load(path)
    equal = np.array_equal(found.view(np.uint8), expected.view(np.uint8))
    if equal:
        return f"equal to the expected values bit for bit ({found.size})", True
    a, b = (from_bits(each, array["format"]).astype(np.float64) for each in (found, expected))
    same = np.count_nonzero(found == expected)
    error = np.max(np.abs(a - b))
    return f"DIFFERS in {found.size - same} of {found.size}, by at most {error:g}", False


def save(program, tensors, directory):
    """Writes the results; whether they are as expected."""
    (directory / "outputs").mkdir(exist_ok=True)
    good = True
    for array in program["arrays"]:
        if array["role"] == "in":
            continue
        found = download(tensors[array["name"]], array)
        np.save(directory / "outputs" / f"{array['name']}.npy", found)
        line, right = verdict(found, array, directory)
        print(f"{array['name']}: {line}", flush=True)
        good &= right
    return good


def run(device, program, directory):
    """Launches on the inputs of a directory; whether the results are as expected, and the tensors."""
    tensors = {array["name"]: upload(device, array, directory) for array in program["arrays"]}
    seconds = launch(device, program, tensors)
    what = "first launch, compilation included" if directory == HERE else "launch on fresh data"
    print(f"{program['program']}: {what}: {seconds:.2f} s", flush=True)
    return save(program, tensors, directory), tensors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=0, metavar="N",
                        help="launch N times more, on what is in the arrays, and print the shortest time")
    parser.add_argument("--fresh", type=pathlib.Path, metavar="DIRECTORY",
                        help="launch again, on DIRECTORY/inputs, and compare with DIRECTORY/expected")
    options = parser.parse_args()
    program = json.loads((HERE / "program.json").read_text())
    device = ttnn.open_device(device_id=0)
    try:
        grid = device.compute_with_storage_grid_size()
        if grid.x < program["grid"][0] or grid.y < program["grid"][1]:
            raise SystemExit(f"{program['program']} needs a grid of {program['grid']} cores, "
                             f"this device has {[grid.x, grid.y]}")
        good, tensors = run(device, program, HERE)
        if options.fresh:
            again, tensors = run(device, program, options.fresh.resolve())
            good &= again
        if options.repeat:
            shortest = min(launch(device, program, tensors) for _ in range(options.repeat))
            print(f"{program['program']}: {shortest * 1e6:.1f} us by the host's clock", flush=True)
    finally:
        ttnn.close_device(device)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
