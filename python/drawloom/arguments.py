# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bound kernel arguments as plain tuples, the form the compiled module takes.

    (name, "*bf16", address, lo, hi, writable)
                                             a pointer; [lo, hi) are its bytes
    (name, "i32" | "fp32" | ..., value)      a scalar
    (name, "constexpr", value or its repr)   a constant of this specialisation
    (name, "tensordesc<bf16[128, 64]>", address, lo, hi, writable, "zero" | "nan")
                                             a host tensor descriptor and its padding

A tuple gives one tuple a member, `name.0`; a host descriptor is followed by its
`name.shape.0` (i32) and `name.stride.0` (i64), in elements. The names are those
of the kernel's arguments in TTIR.
"""
from drawloom.arrays import memory_of


def describe(parameters, values) -> list[tuple]:
    """The arguments in the kernel's order; `parameters` are (name, Triton type)."""
    described = []
    for (name, kind), value in zip(parameters, values, strict=True):
        if isinstance(kind, tuple):
            members = [(f"{name}.{i}", member) for i, member in enumerate(kind)]
            described += describe(members, value)
        elif kind.startswith("tensordesc"):
            described += _describe_descriptor(name, kind, value)
        else:
            described.append((name, *_describe_one(name, kind, value)))
    return described


def _describe_one(name: str, kind: str, value) -> tuple:
    if kind == "constexpr":
        return kind, _literal(getattr(value, "value", value))
    if kind.startswith("*"):
        return "*" + kind[1:].removeprefix("k"), *_memory(name, value)
    if kind.startswith(("fp", "bf")):
        return kind, float(value)
    return kind, int(value)


def _describe_descriptor(name: str, kind: str, value) -> list[tuple]:
    shape = [(f"{name}.shape.{i}", "i32", int(extent)) for i, extent in enumerate(value.shape)]
    strides = [(f"{name}.stride.{i}", "i64", int(step)) for i, step in enumerate(value.strides)]
    return [(name, kind, *_memory(name, value.base), value.padding), *shape, *strides]


def _memory(name: str, value) -> tuple[int, int, int, bool]:
    try:
        return memory_of(value)
    except TypeError as error:
        raise TypeError(f"argument '{name}': {error}") from None


def _literal(value):
    return value if isinstance(value, (bool, int, float, str)) else repr(value)
