# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dropout with random numbers made in the kernel: element i draws the i-th number of the seed's sequence.

    drawloom run examples/triton/dropout.py --check -- --n 5000 --p 0.3
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def dropout_kernel(x_ptr, y_ptr, n, p, seed, BLOCK: tl.constexpr):
    lane = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=lane < n, other=0.0).to(tl.float32)
    kept = tl.rand(seed, lane) > p
    y = tl.where(kept, x / (1 - p), 0.0)
    tl.store(y_ptr + lane, y.to(y_ptr.dtype.element_ty), mask=lane < n)


def philox(seed, count, rounds=10):
    """The first word of Philox 4x32 for the counters (i, 0, 0, 0), as tl.rand takes it."""
    c0, c1, c2, c3 = np.arange(count, dtype=np.uint64), *(np.zeros(count, np.uint64) for _ in range(3))
    low = np.uint64(0xFFFFFFFF)
    k0, k1 = np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)
    for _ in range(rounds):
        # 32-bit products of 64 bits: the high words are mixed in, the low words move on.
        a, b = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c1, c2, c3 = (b >> np.uint64(32)) ^ c1 ^ k0, b & low, (a >> np.uint64(32)) ^ c3 ^ k1, a & low
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & low, (k1 + np.uint64(0xBB67AE85)) & low
    return c0


def main():
    args = arguments(__doc__, n=5000, p=0.3)
    data = Data(args)
    x, y = data.normal(args.n), data.empty(args.n)
    dropout_kernel[(triton.cdiv(args.n, 1024), )](x, y, args.n, args.p, args.seed, BLOCK=1024)

    word = philox(args.seed, args.n).astype(np.uint32).view(np.int32).astype(np.int64)
    uniform = np.where(word < 0, -word - 1, word) * 4.6566127342e-10
    return check(args, y=(y, np.where(uniform > args.p, wide(x) / (1 - args.p), 0)))


if __name__ == "__main__":
    sys.exit(main())
