// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites a program's body to what tiles need.

#include "Prepare.h"

#include "EmptyLanes.h"
#include "Halves.h"
#include "Integers.h"
#include "Literals.h"
#include "Repeats.h"
#include "Rewrite.h"
#include "SmallIntegers.h"
#include "Straighten.h"
#include "drawloom/Tile/Form.h"
#include "drawloom/Tile/Written.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

//===-- Loops ---------------------------------------------------------------//

/// Loops that run once are their body, those that never run what they start
/// from. One that would only store stays: a program stores something.
static void inlineTrips(tile::GridOp grid) {
  SmallVector<scf::ForOp> loops;
  grid.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    auto low = getConstantIntValue(loop.getLowerBound()), high = getConstantIntValue(loop.getUpperBound());
    auto step = getConstantIntValue(loop.getStep());
    if (!low || !high || !step || *high - *low > *step)
      continue;
    IRRewriter rewriter(loop.getContext());
    if (*high > *low)
      (void)loop.promoteIfSingleIteration(rewriter);
    else if (loop.getNumResults())
      rewriter.replaceOp(loop, loop.getInitArgs());
  }
}

static bool dependsOnlyOnOutside(Operation *op, scf::ForOp loop) {
  return llvm::all_of(op->getOperands(), [&](Value value) {
    return loop.isDefinedOutsideOfLoop(value);
  });
}

/// Loads of arrays the program does not write, and what is computed, move out
/// of loops. A loop that never runs then loads and computes in vain.
static void hoistInvariants(tile::GridOp grid) {
  grid.getBody().walk<WalkOrder::PostOrder>([](scf::ForOp loop) {
    for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
      auto load = dyn_cast<tile::LoadOp>(op);
      bool moves = load ? !tile::isWritten(load.getArray()) : isMemoryEffectFree(&op) && !op.getNumRegions();
      // A reduction's region computes on its own arguments.
      moves |= isa<linalg::ReduceOp, linalg::BroadcastOp, linalg::TransposeOp>(op);
      // What is made of constants is made anew rather than kept.
      bool ofConstants = op.getNumOperands() && llvm::all_of(op.getOperands(), [](Value operand) {
                           return splatOf(operand).has_value();
                         });
      moves &= !ofConstants;
      if (moves && dependsOnlyOnOutside(&op, loop))
        op.moveBefore(loop);
    }
  });
}

//===-- Divisions -----------------------------------------------------------//

/// A division by a repeated value multiplies with its reciprocal, which is
/// computed once a row instead of once a lane.
static void invert(arith::DivFOp division) {
  auto repeat = bare(division.getRhs()).getDefiningOp<linalg::BroadcastOp>();
  if (!repeat || splatOf(repeat.getInput()))
    return;
  OpBuilder b(repeat);
  Location loc = division.getLoc();
  auto type = cast<RankedTensorType>(repeat.getInput().getType());
  Value inverse = arith::DivFOp::create(b, loc, splat(b, loc, type, 1), repeat.getInput());
  b.setInsertionPoint(division);
  Value repeated = linalg::BroadcastOp::create(b, loc, inverse, repeat.getInit(), repeat.getDimensions())->getResult(0);
  if (repeated.getType() != division.getType()) // a cast stood between
    return;
  Value product = arith::MulFOp::create(b, loc, division.getLhs(), repeated);
  division.replaceAllUsesWith(product);
  division.erase();
}

/// A sum with nothing.
static void simplify(arith::AddFOp sum) {
  for (auto [value, other] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())})
    if (auto constant = splatOf(other); constant && *constant == 0) {
      sum.replaceAllUsesWith(value);
      return sum.erase();
    }
}

//===-- All operations ------------------------------------------------------//

/// Reductions by other than one operation, of which the units have none.
static void splitCombined(linalg::ReduceOp reduce, ExactOps &exact) {
  if (isArgument(reduce))
    splitArgument(reduce);
  else if (!hasIdentity(reduce))
    splitReduction(reduce, exact);
  else
    selectHalf(reduce);
}

/// What no unit has, in terms of what one has.
static void split(Operation *op, ExactOps &exact) {
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
    splitCombined(reduce, exact);
  else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    joinHalves(collapse);
  else if (auto repeat = dyn_cast<linalg::BroadcastOp>(op))
    joinRepeats(repeat);
  else if (auto scan = dyn_cast<tile::ScanOp>(op))
    isa<FloatType>(getElementTypeOrSelf(scan.getTiles()[0])) ? splitScan(scan) : splitIntegerScan(scan);
  else if (auto product = dyn_cast<linalg::MatmulOp>(op))
    splitIntegerProduct(product);
  else if (auto numbers = dyn_cast<tile::IndexOp>(op))
    splitNumbers(numbers);
  else if (auto mask = dyn_cast<tile::MaskOp>(op))
    splitBounds(mask);
  else if (auto quotient = dyn_cast<arith::DivSIOp>(op))
    splitDivision(quotient);
  else if (auto rest = dyn_cast<arith::RemSIOp>(op))
    splitDivision(rest);
}

/// What tiles need besides.
static void adapt(Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op))
    straighten(load);
  else if (auto store = dyn_cast<tile::StoreOp>(op))
    straighten(store);
  else if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
    settle(reduce);
  else if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
    settle(cast<linalg::LinalgOp>(op));
  else if (auto scan = dyn_cast<tile::ScanOp>(op))
    settle(scan);
  else if (auto division = dyn_cast<arith::DivFOp>(op))
    invert(division);
  else if (auto sum = dyn_cast<arith::AddFOp>(op); sum && isa<RankedTensorType>(sum.getType()))
    simplify(sum);
}

/// As they are before a rewrite, which adds others.
static SmallVector<Operation *> operationsOf(tile::GridOp grid) {
  SmallVector<Operation *> ops;
  grid.getBody().walk([&](Operation *op) { ops.push_back(op); });
  return ops;
}

static void eraseDead(tile::GridOp grid, ExactOps &exact) {
  SmallVector<Operation *> ops = operationsOf(grid);
  for (Operation *op : llvm::reverse(ops)) // users before what they use
    if (isOpTriviallyDead(op)) {
      exact.erase(op);
      op->erase();
    }
}

ExactOps drawloom::task::prepareBody(tile::GridOp grid) {
  ExactOps exact;
  inlineTrips(grid);
  widenIntegers(grid);
  for (Operation *op : operationsOf(grid))
    split(op, exact);
  for (Operation *op : operationsOf(grid))
    adapt(op);
  turnVectors(grid);
  eraseDead(grid, exact);
  hoistInvariants(grid);
  return exact;
}
