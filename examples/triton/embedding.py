# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of a table by number: the embedding of each token.

    drawloom run examples/triton/embedding.py --check -- --tokens 100 --columns 300
"""
import sys

import numpy as np
import triton
import triton.language as tl
from common import Data, arguments, check, wide


@triton.jit
def embedding_kernel(ids_ptr, table_ptr, out_ptr, tokens, columns, BLOCK_T: tl.constexpr, BLOCK_C: tl.constexpr):
    token = tl.program_id(axis=0) * BLOCK_T + tl.arange(0, BLOCK_T)
    lane = tl.program_id(axis=1) * BLOCK_C + tl.arange(0, BLOCK_C)
    ids = tl.load(ids_ptr + token, mask=token < tokens, other=0)
    mask = (token[:, None] < tokens) & (lane[None, :] < columns)
    rows = tl.load(table_ptr + ids[:, None] * columns + lane[None, :], mask=mask, other=0.0)
    tl.store(out_ptr + token[:, None] * columns + lane[None, :], rows, mask=mask)


def main():
    args = arguments(__doc__, tokens=50, columns=100, vocabulary=500)
    data = Data(args)
    ids = data.integers(0, args.vocabulary, args.tokens, dtype=np.int64)
    table, out = data.normal(args.vocabulary, args.columns), data.empty(args.tokens, args.columns)
    embedding_kernel[(triton.cdiv(args.tokens, 32), triton.cdiv(args.columns, 64))](ids, table, out, args.tokens,
                                                                                    args.columns, BLOCK_T=32,
                                                                                    BLOCK_C=64)
    return check(args, out=(out, wide(table)[ids]))


if __name__ == "__main__":
    sys.exit(main())
