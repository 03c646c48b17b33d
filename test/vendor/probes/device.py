# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs on the vendor's runtime: tensors, circular buffers, kernels."""
import pathlib

import numpy as np
import ttnn

KERNELS = pathlib.Path(__file__).resolve().parent / "kernels"
TILE_BYTES = {ttnn.bfloat16: 2048, ttnn.float32: 4096, ttnn.uint32: 4096, ttnn.int32: 4096}
BUFFERS = 64  # entries of a compute kernel's list of unpack modes


def rectangle(x0, y0, x1, y1):
    """The cores from (x0, y0) to (x1, y1), both included, as one set."""
    corners = ttnn.CoreCoord(x0, y0), ttnn.CoreCoord(x1, y1)
    return ttnn.CoreRangeSet([ttnn.CoreRange(*corners)])


ONE_CORE = rectangle(0, 0, 0, 0)


class Device:
    """A context: `with Device() as device`."""

    def __enter__(self):
        self.handle = ttnn.open_device(device_id=0)
        return self

    def __exit__(self, *_):
        ttnn.close_device(self.handle)

    @property
    def arch(self):
        """wormhole or blackhole."""
        return "blackhole" if "BLACKHOLE" in str(self.handle.arch()) else "wormhole"

    def tensor(self, array, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT):
        """A copy of an array in DRAM: of floats, or of integers for int32."""
        values = np.asarray(array, np.int32 if dtype == ttnn.int32 else np.float32)
        host = ttnn.Tensor(values, dtype, None, layout)
        return host.to(self.handle, ttnn.DRAM_MEMORY_CONFIG)

    def empty(self, shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT):
        return ttnn.allocate_tensor_on_device(
            ttnn.Shape(shape), dtype, layout, self.handle, ttnn.DRAM_MEMORY_CONFIG
        )

    def network_coordinate(self, x, y):
        """Where a kernel addresses the core that programs call (x, y)."""
        core = self.handle.worker_core_from_logical_core(ttnn.CoreCoord(x, y))
        return core.x, core.y

    def run(self, tensors, kernels, buffers, semaphores=()):
        """Runs one program; the last tensor is its output."""
        program = ttnn.ProgramDescriptor(
            kernels=list(kernels), semaphores=list(semaphores), cbs=list(buffers)
        )
        ttnn.generic_op(list(tensors), program)
        ttnn.synchronize_device(self.handle)


def numbers(tensor):
    """A device tensor's values. bfloat16 and float32 are exact in float32."""
    host = tensor.cpu().to(ttnn.ROW_MAJOR_LAYOUT)
    return np.array(host.to_list(), np.int32 if tensor.dtype == ttnn.int32 else np.float32)


def bits(tensor):
    """A device tensor's values as the bits it stores: uint16 or uint32."""
    words = numbers(tensor).view(np.uint32)
    return (words >> 16).astype(np.uint16) if tensor.dtype == ttnn.bfloat16 else words


def accessor(tensor):
    """The compile-time arguments from which a kernel makes a TensorAccessor."""
    return list(ttnn.TensorAccessorArgs(tensor).get_compile_time_args())


def pages(tensor):
    """Tiles of a tensor in tiles."""
    count = 1
    for extent in tensor.shape:
        count *= extent
    return count // 1024


def buffer(index, tiles, dtype=ttnn.bfloat16, cores=ONE_CORE):
    size = TILE_BYTES[dtype]
    form = ttnn.CBFormatDescriptor(buffer_index=index, data_format=dtype, page_size=size)
    return ttnn.CBDescriptor(
        total_size=tiles * size, core_ranges=cores, format_descriptors=[form]
    )


def kernel(source, config, arguments=(), compile_time=(), cores=ONE_CORE, defines=()):
    """arguments: a list for core (0, 0), or a map from (x, y) to a list."""
    per_core = arguments if isinstance(arguments, dict) else {(0, 0): arguments}
    runtime = ttnn.RuntimeArgs()
    for (x, y), values in per_core.items():
        runtime[x][y] = list(values)
    return ttnn.KernelDescriptor(
        kernel_source=str(KERNELS / source),
        core_ranges=cores,
        compile_time_args=list(compile_time),
        runtime_args=runtime,
        defines=[(name, value) for name, value in defines],
        config=config,
    )


def compute(fp32_dst=True, fidelity="HiFi4", straight_to_dst=()):
    """straight_to_dst: buffers whose fp32 tiles are unpacked into Dst itself,
    not through a source register, which holds TF32."""
    config = ttnn.ComputeConfigDescriptor(
        math_fidelity=getattr(ttnn.MathFidelity, fidelity), fp32_dest_acc_en=fp32_dst
    )
    if straight_to_dst:
        mode = ttnn._ttnn.program_descriptor.UnpackToDestMode
        modes = [mode.Default] * BUFFERS
        for index in straight_to_dst:
            modes[index] = mode.UnpackToDestFp32
        vector = ttnn._ttnn.program_descriptor.VectorUnpackToDestMode
        config.unpack_to_dest_mode = vector(modes)
    return config


def reader(operands):
    """read_operands.cpp for one or two tensors in tiles."""
    arguments, compile_time = [], []
    for tensor in operands:
        arguments += [tensor.buffer_address(), pages(tensor)]
        compile_time += accessor(tensor)
    defines = [("TWO_OPERANDS", "1")] if len(operands) == 2 else []
    config = ttnn.ReaderConfigDescriptor()
    return kernel("read_operands.cpp", config, arguments, compile_time, defines=defines)


def writer(result):
    """write_result.cpp for one tensor in tiles."""
    arguments = [result.buffer_address(), pages(result), 0]
    config = ttnn.WriterConfigDescriptor()
    return kernel("write_result.cpp", config, arguments, accessor(result))


def run_on_one_core(device, operands, result, compute_kernel, extra_buffers=()):
    """Operands in buffers 0 and 1, the result through buffer 16."""
    buffers = [
        buffer(index, pages(tensor), tensor.dtype)
        for index, tensor in enumerate(operands)
    ]
    buffers += [buffer(16, pages(result), result.dtype), *extra_buffers]
    kernels = [reader(operands), writer(result), compute_kernel]
    device.run([*operands, result], kernels, buffers)
    return bits(result)
