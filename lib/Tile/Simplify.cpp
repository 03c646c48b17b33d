// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a grid's body smaller without changing what it computes.

#include "Simplify.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace drawloom::tile;

//===-- Loops ---------------------------------------------------------------//

/// The iterations of a loop whose bounds are constants.
static std::optional<int64_t> tripsOf(scf::ForOp loop) {
  APInt low, high, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&high)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive())
    return std::nullopt;
  int64_t length = high.getSExtValue() - low.getSExtValue();
  return std::max<int64_t>(0, llvm::divideCeil(length, step.getSExtValue()));
}

static void inlineOnce(scf::ForOp loop) {
  Block *body = loop.getBody();
  Operation *yield = body->getTerminator();
  loop.getInductionVar().replaceAllUsesWith(loop.getLowerBound());
  for (auto [argument, init] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
    argument.replaceAllUsesWith(init);
  loop.replaceAllUsesWith(yield->getOperands());
  yield->erase();
  loop->getBlock()->getOperations().splice(loop->getIterator(),
                                           body->getOperations());
  loop.erase();
}

static void inlineShortLoops(GridOp grid) {
  grid.walk([](scf::ForOp loop) {
    auto trips = tripsOf(loop);
    if (trips == 1) {
      inlineOnce(loop);
    } else if (trips == 0) {
      loop.replaceAllUsesWith(loop.getInitArgs());
      loop.erase();
    }
  });
}

//===-- Indices of accesses -------------------------------------------------//

namespace {
/// The `at` operands of an access and what takes the place of its dimensions.
struct Composed {
  SmallVector<Value> at;
  SmallVector<AffineExpr> dims;

  /// An operand as an expression over the new operands.
  AffineExpr add(Value index, MLIRContext *context) {
    APInt constant;
    if (matchPattern(index, m_ConstantInt(&constant)))
      return getAffineConstantExpr(constant.getSExtValue(), context);
    if (auto apply = index.getDefiningOp<affine::AffineApplyOp>()) {
      SmallVector<AffineExpr> inputs;
      for (Value operand : apply.getOperands())
        inputs.push_back(add(operand, context));
      ArrayRef<AffineExpr> all(inputs);
      AffineMap map = apply.getAffineMap();
      return map.getResult(0).replaceDimsAndSymbols(
          all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
    }
    auto known = llvm::find(at, index);
    unsigned dim = known - at.begin();
    if (known == at.end())
      at.push_back(index);
    return getAffineDimExpr(dim, context);
  }
};
} // namespace

/// Rewrites the maps of an access so that they take loop and grid indices.
template <typename Access> static void compose(Access access) {
  MLIRContext *context = access.getContext();
  Composed composed;
  for (Value index : access.getAt())
    composed.dims.push_back(composed.add(index, context));
  unsigned before = access.getAt().size(), after = composed.at.size();
  auto widen = [&](unsigned dims) {
    SmallVector<AffineExpr> all(composed.dims);
    for (unsigned lane = before; lane < dims; ++lane)
      all.push_back(getAffineDimExpr(after + lane - before, context));
    return all;
  };
  if constexpr (requires { access.getAccess(); }) {
    AffineMap map = access.getAccess();
    unsigned dims = after + map.getNumDims() - before;
    access.setAccessAttr(AffineMapAttr::get(
        map.replaceDimsAndSymbols(widen(map.getNumDims()), {}, dims, 0)));
  }
  if constexpr (requires { access.getMap(); }) {
    AffineMap map = access.getMap();
    unsigned dims = after + map.getNumDims() - before;
    access.setMapAttr(AffineMapAttr::get(
        map.replaceDimsAndSymbols(widen(map.getNumDims()), {}, dims, 0)));
  }
  if constexpr (requires { access.getBoundsAttr(); }) {
    if (IntegerSetAttr bounds = access.getBoundsAttr()) {
      IntegerSet set = bounds.getValue();
      unsigned dims = after + set.getNumDims() - before;
      access.setBoundsAttr(IntegerSetAttr::get(set.replaceDimsAndSymbols(
          widen(set.getNumDims()), {}, dims, 0)));
    }
  }
  access.getAtMutable().assign(composed.at);
}

static void composeIndices(GridOp grid) {
  grid.walk([](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      compose(load);
    else if (auto store = dyn_cast<StoreOp>(op))
      compose(store);
    else if (auto mask = dyn_cast<MaskOp>(op))
      compose(mask);
    else if (auto read = dyn_cast<ReadOp>(op))
      compose(read);
    else if (auto index = dyn_cast<IndexOp>(op))
      compose(index);
  });
}

//===-- Repeated work -------------------------------------------------------//

/// Whether what the array holds stays the same throughout the program.
static bool isConstant(Value array) {
  auto op = array.getDefiningOp<ArrayOp>();
  return op && llvm::all_of(op->getBlock()->getOps<ArrayOp>(), [&](ArrayOp o) {
           return o.getArgument() != op.getArgument() || o.getRole() == Role::In;
         });
}

static bool isConstantLoad(Operation *op) {
  return isa<LoadOp, ReadOp>(op) && isConstant(op->getOperand(0));
}

/// Gives the users of repeated loads the first one. `known` are the loads that
/// dominate the block.
static void mergeLoads(Block &block, SmallVectorImpl<Operation *> &known) {
  size_t outer = known.size();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        mergeLoads(inner, known);
    if (!isConstantLoad(&op))
      continue;
    auto same = llvm::find_if(known, [&](Operation *other) {
      return OperationEquivalence::isEquivalentTo(
          &op, other, OperationEquivalence::IgnoreLocations);
    });
    if (same == known.end()) {
      known.push_back(&op);
      continue;
    }
    op.replaceAllUsesWith(*same);
    op.erase();
  }
  known.truncate(outer);
}

static bool mayMove(Operation *op, scf::ForOp loop) {
  if (isa<linalg::BroadcastOp, tensor::EmptyOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp>(op))
    return false;
  if (isConstantLoad(op)) // it might reach outside the array before an empty
    return tripsOf(loop) >= 1;
  return isMemoryEffectFree(op) && isSpeculatable(op);
}

static void hoist(GridOp grid) {
  grid.walk([](scf::ForOp loop) {
    moveLoopInvariantCode(
        {&loop.getRegion()},
        [&](Value value, Region *) {
          return loop.isDefinedOutsideOfLoop(value);
        },
        [&](Operation *op, Region *) { return mayMove(op, loop); },
        [&](Operation *op, Region *) { op->moveBefore(loop); });
  });
}

static void eraseDead(GridOp grid) {
  SmallVector<Operation *> all;
  grid.walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  for (Operation *op : llvm::reverse(all))
    if (op != grid && op->use_empty() &&
        (isa<LoadOp, ReadOp>(op) || isOpTriviallyDead(op)))
      op->erase();
}

static void mergeRepeated(GridOp grid) {
  SmallVector<Operation *> known;
  mergeLoads(grid.getBody().front(), known);
  IRRewriter rewriter(grid.getContext());
  DominanceInfo dominance(grid);
  eliminateCommonSubExpressions(rewriter, dominance, grid);
}

void drawloom::tile::simplify(GridOp grid) {
  inlineShortLoops(grid);
  composeIndices(grid);
  mergeRepeated(grid);
  hoist(grid);
  mergeRepeated(grid); // loads of several loops meet outside them
  eraseDead(grid);
}
