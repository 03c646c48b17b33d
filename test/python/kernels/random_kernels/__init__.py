# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Triton kernels that are masked, strided and ragged, each with its launch."""
import random

from kernels.random_kernels import control, gathers, products, rows, shapes, tiles, vectors
from kernels.random_kernels.case import BF16, F32, Case

FAMILIES = rows.FAMILIES | tiles.FAMILIES | products.FAMILIES | gathers.FAMILIES | control.FAMILIES
FAMILIES |= vectors.FAMILIES | shapes.FAMILIES


def random_case(family: str, seed: int) -> Case:
    """The case of a family that `seed` names; half of them are of bf16."""
    rng = random.Random(f"{family} {seed}")
    return FAMILIES[family](rng, rng.choice([F32, BF16]))
