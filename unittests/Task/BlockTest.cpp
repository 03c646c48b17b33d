// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a product's result is cut into blocks of Dst.

#include "Compute.h"
#include <gtest/gtest.h>

using drawloom::task::chooseBlock;
using Pair = std::pair<int64_t, int64_t>;

TEST(Block, FillsDst) {
  EXPECT_EQ(chooseBlock(4, 4, 8), Pair(2, 4));
  EXPECT_EQ(chooseBlock(8, 1, 4), Pair(4, 1));
}

TEST(Block, PrefersTheWiderOfEquals) { EXPECT_EQ(chooseBlock(4, 4, 4), Pair(1, 4)); }

TEST(Block, DividesTheResult) {
  EXPECT_EQ(chooseBlock(3, 5, 4), Pair(3, 1));
  EXPECT_EQ(chooseBlock(5, 7, 4), Pair(1, 1));
}
