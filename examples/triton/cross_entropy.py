# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cross entropy of rows of logits with a label each, the classes in blocks.

    drawloom run examples/triton/cross_entropy.py --check -- --rows 64 --classes 1000
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def cross_entropy_kernel(logits_ptr, labels_ptr, loss_ptr, classes, stride, BLOCK: tl.constexpr):
    row = tl.program_id(axis=0)
    # Which element to load is itself loaded.
    label = tl.load(labels_ptr + row)
    wanted = tl.load(logits_ptr + row * stride + label).to(tl.float32)
    largest = -float("inf")
    total = 0.0
    for start in range(0, classes, BLOCK):
        lane = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + row * stride + lane, mask=lane < classes, other=-float("inf")).to(tl.float32)
        larger = tl.maximum(largest, tl.max(x, axis=0))
        total = total * tl.exp(largest - larger) + tl.sum(tl.exp(x - larger), axis=0)
        largest = larger
    tl.store(loss_ptr + row, largest + tl.log(total) - wanted)


def main():
    args = arguments(__doc__, rows=64, classes=300, block=128)
    data = Data(args)
    logits = data.normal(args.rows, args.classes)
    labels = data.integers(0, args.classes, args.rows, dtype=np.int64)
    loss = data.empty(args.rows, dtype=np.float32)
    cross_entropy_kernel[(args.rows, )](logits, labels, loss, args.classes, logits.stride(0), BLOCK=args.block)

    x = wide(logits)
    expected = np.log(np.exp(x).sum(axis=1)) - x[np.arange(args.rows), labels]
    return check(args, loss=(loss, expected))


if __name__ == "__main__":
    sys.exit(main())
