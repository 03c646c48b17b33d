// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows extrema to the comparisons that look at them.

#include "Compared.h"

#include "Heads.h"
#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

/// Walks from an extremum to all that is made of it.
class Follower {
public:
  bool reachesComparison(Value extremum);

private:
  /// A value, and whether it is still some lane's: its sign is then the same
  /// with fewer digits, and so is whether it is infinite.
  using Found = llvm::PointerIntPair<Value, 1, bool>;

  void add(Value value, bool isLane) {
    if (seen.insert(Found(value, isLane)).second)
      rest.push_back(Found(value, isLane));
  }
  void follow(OpOperand &use, bool isLane);

  SmallVector<Found> rest;
  llvm::DenseSet<Found> seen;
  bool found = false;
};

} // namespace

static bool isExtremum(linalg::ReduceOp reduce) { return vectorCombiner(reduce) == "max"; }

/// Whether fewer digits of the operand may decide a comparison otherwise.
static bool needsDigits(arith::CmpFOp compare, OpOperand &use, bool isLane) {
  auto constant = splatOf(compare->getOperand(1 - use.getOperandNumber()));
  return !constant || !(std::isinf(*constant) || (isLane && *constant == 0));
}

void Follower::follow(OpOperand &use, bool isLane) {
  Operation *user = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto compare = dyn_cast<arith::CmpFOp>(user)) {
    found |= needsDigits(compare, use, isLane);
  } else if (isa<arith::SelectOp>(user)) {
    if (number > 0)
      add(user->getResult(0), isLane);
  } else if (isa<arith::ExtFOp, arith::TruncFOp, arith::NegFOp, math::AbsFOp, arith::MaximumFOp, arith::MinimumFOp,
                 arith::MaxNumFOp, arith::MinNumFOp, tile::MaskOp, linalg::BroadcastOp, linalg::TransposeOp,
                 tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::SplatOp, tensor::ExtractOp>(user)) {
    add(user->getResult(0), isLane);
  } else if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, math::FmaOp>(user)) {
    add(user->getResult(0), false);
  } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
    if (OpResult result = loop.getTiedLoopResult(&use)) {
      add(result, isLane);
      add(loop.getTiedLoopRegionIterArg(&use), isLane);
    }
  } else if (isa<scf::YieldOp>(user)) {
    add(user->getParentOp()->getResult(number), isLane);
    if (auto loop = dyn_cast<scf::ForOp>(user->getParentOp()))
      add(loop.getRegionIterArg(number), isLane);
  } else if (auto reduce = dyn_cast<linalg::ReduceOp>(user)) {
    // A sum of many is a number of its own.
    if (isExtremum(reduce))
      add(user->getResult(0), isLane);
  }
}

bool Follower::reachesComparison(Value extremum) {
  add(extremum, true);
  while (!rest.empty() && !found) {
    Found next = rest.pop_back_val();
    for (OpOperand &use : next.getPointer().getUses())
      follow(use, next.getInt());
  }
  return found;
}

void drawloom::task::keepComparedExtrema(tile::GridOp grid, ExactOps &exact) {
  grid.getBody().walk([&](linalg::ReduceOp reduce) {
    if (isExtremum(reduce) && !fitsNarrow(reduce.getInputs()[0]) &&
        Follower().reachesComparison(reduce->getResult(0)))
      exact.insert(reduce);
  });
}
