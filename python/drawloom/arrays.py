# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host memory as kernel arguments: numpy arrays that Triton takes as pointers."""
import ml_dtypes
import numpy as np
from numpy.lib.array_utils import byte_bounds

# The element types a kernel argument may have. Triton names a pointer's type by
# str(dtype), which numpy and ml_dtypes spell as Triton expects.
ELEMENT_TYPES = tuple(
    np.dtype(t) for t in (np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
                          np.float16, np.float32, np.float64, ml_dtypes.bfloat16))


class Array(np.ndarray):
    """A numpy array that can be a kernel argument; so can every view of it.

    The methods are those Triton and scripts written for tensors call.
    """

    def __array_wrap__(self, values, context=None, return_scalar=False):
        # As for plain arrays, a full reduction is a number.
        return values[()] if return_scalar else super().__array_wrap__(values, context, return_scalar)

    def data_ptr(self) -> int:
        """Address of the first element."""
        return self.ctypes.data

    def stride(self, dim=None):
        """Strides in elements (numpy's `strides` are in bytes)."""
        steps = tuple(step // self.itemsize for step in self.strides)
        return steps if dim is None else steps[dim]

    def element_size(self) -> int:
        """Bytes an element takes."""
        return self.itemsize

    def numel(self) -> int:
        return self.size

    def is_contiguous(self) -> bool:
        return self.flags.c_contiguous

    # What triton.autotune calls for `reset_to_zero` and `restore_value`.
    def zero_(self):
        self[...] = 0

    def clone(self):
        return self.copy()

    def copy_(self, other):
        self[...] = other


def array(values, dtype=None) -> Array:
    """Makes `values` a kernel argument.

    A numpy array that has the wanted type already is wrapped without a copy: a
    kernel that stores to the result changes `values` too. Types are numpy's and
    `ml_dtypes.bfloat16`.
    """
    plain = np.asarray(values, dtype=dtype)
    if plain.dtype not in ELEMENT_TYPES:
        known = ", ".join(str(t) for t in ELEMENT_TYPES)
        raise TypeError(f"no kernel argument has elements of type {plain.dtype}; convert the array to one of {known}")
    return plain.view(Array)


def memory_of(argument) -> tuple[int, int, int, bool]:
    """The address a pointer argument holds, the bounds [lo, hi) of the bytes its
    elements occupy, and whether they may be written: (address, lo, hi, writable)."""
    while not isinstance(argument, np.ndarray) and hasattr(getattr(argument, "base", None), "data_ptr"):
        argument = argument.base  # what triton.reinterpret wraps
    if isinstance(argument, np.ndarray):
        return argument.ctypes.data, *byte_bounds(argument), argument.flags.writeable
    return *_tensor_memory(argument), True


def _tensor_memory(tensor) -> tuple[int, int, int]:
    """(address, lo, hi) of a torch tensor, told by its methods so that torch is not needed."""
    if not all(hasattr(tensor, name) for name in ("element_size", "stride", "shape")):
        raise TypeError(f"a {type(tensor).__name__} does not say how much memory it has; "
                        "pass drawloom.array(...) or a CPU torch tensor")
    device = getattr(tensor, "device", None)
    if getattr(device, "type", "cpu") != "cpu":
        raise TypeError(f"a tensor on {device} is out of reach; move it to the CPU first (tensor.cpu())")
    address, size = tensor.data_ptr(), tensor.element_size()
    if 0 in tensor.shape:
        return address, address, address
    last = sum((extent - 1) * step for extent, step in zip(tensor.shape, tensor.stride()))
    return address, address, address + (last + 1) * size
