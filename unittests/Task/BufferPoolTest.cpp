// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a body share a buffer.

#include "Body/Layout.h"
#include <gtest/gtest.h>

using namespace drawloom::task;
using namespace mlir;

namespace {

struct BufferPoolTest : testing::Test {
  BufferPoolTest() {
    context.loadDialect<TaskDialect>();
    module = ModuleOp::create(UnknownLoc::get(&context));
    builder.setInsertionPointToStart(module->getBody());
  }
  BufferPool::Wish wish(int64_t tiles) { return {"value", builder.getF32Type(), tiles, 1}; }
  Value create(const BufferPool::Wish &wish) { return pool.create(builder.getUnknownLoc(), wish); }
  void compute(Value target) {
    body.items.push_back({Item::Compute, nullptr, unsigned(body.stages.size()), {}, 0, {}, {}});
    body.stages.push_back({builder.getUnknownLoc(), {}, {}, {}, {}, {}, {}, {target}});
  }
  void drop(Value buffer, bool isLast = true) {
    body.items.push_back({Item::Drop, nullptr, 0, buffer, 1, {}, {}, nullptr, isLast});
  }
  /// The buffer that a stage fills, once all are shared.
  Value target(unsigned stage) { return body.stages[stage].targets[0]; }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder{&context};
  BufferPool pool{builder};
  Body body;
};

} // namespace

TEST_F(BufferPoolTest, ADroppedBufferServesTheNextOfItsKind) {
  Value first = create(wish(2)), second = create(wish(2));
  compute(first), drop(first), compute(second), drop(second);
  pool.share(body);
  EXPECT_EQ(target(1), target(0));
}

TEST_F(BufferPoolTest, ValuesThatLiveTogetherShareNothing) {
  Value first = create(wish(2)), second = create(wish(2)), third = create(wish(2));
  compute(first), compute(second), drop(first), drop(second), compute(third);
  pool.share(body);
  EXPECT_NE(target(1), target(0));
  EXPECT_TRUE(target(2) == target(0) || target(2) == target(1));
}

TEST_F(BufferPoolTest, OtherSizesShareNothing) {
  Value first = create(wish(2)), second = create(wish(3));
  compute(first), drop(first), compute(second);
  pool.share(body);
  EXPECT_NE(target(1), target(0));
}

// A loop drops the value of one iteration, but not the buffer of all.
TEST_F(BufferPoolTest, ABufferThatIsFilledAgainIsKept) {
  Value carried = create(wish(2)), other = create(wish(2));
  compute(carried), drop(carried, /*isLast=*/false), compute(other);
  pool.share(body);
  EXPECT_NE(target(1), target(0));
}

TEST_F(BufferPoolTest, WhatIsMulticastIsNotShared) {
  BufferPool::Wish fixed = wish(2);
  fixed.isShared = false;
  Value first = create(wish(2)), second = create(fixed);
  compute(first), drop(first), compute(second);
  pool.share(body);
  EXPECT_NE(target(1), target(0));
}
