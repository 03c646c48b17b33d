// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the body of a grid at one point after another.

#include "Evaluator.h"
#include "Constants.h"
#include "Elements.h"
#include "Elementwise.h"
#include "IntegerOps.h"
#include "LaneAccess.h"
#include "Reductions.h"
#include "TensorOps.h"
#include "drawloom/Tile/Integers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace drawloom;

LogicalResult Evaluator::refuse(Operation *op, const Twine &message) {
  stopped = {op, message.str(), visit};
  return failure();
}

SmallVector<int64_t> Evaluator::integers(ValueRange operands) const {
  return llvm::map_to_vector(operands, [&](Value value) {
    return integerOf(values.lookup(value)->value[0]);
  });
}

//===-- Control
//-----------------------------------------------------------------//

LogicalResult Evaluator::runLoop(scf::ForOp loop) {
  int64_t low = integers(loop.getLowerBound()).front();
  int64_t high = integers(loop.getUpperBound()).front();
  int64_t step = integers(loop.getStep()).front();
  if (step < 1)
    return refuse(loop,
                  "has a step of " + Twine(step) + ", which must be positive");
  auto assign = [&](ValueRange to, ValueRange from) {
    // All reads come before the first write: a loop may swap its values.
    SmallVector<TileRef> tiles;
    for (Value value : from)
      tiles.push_back(values.lookup(value));
    for (auto [value, tile] : llvm::zip_equal(to, tiles))
      values[value] = tile;
  };
  assign(loop.getRegionIterArgs(), loop.getInitArgs());
  for (int64_t i = low; i < high; i += step) {
    set(loop.getInductionVar(), TileValue(loop.getInductionVar().getType(), i));
    if (failed(runBlock(*loop.getBody())))
      return failure();
    assign(loop.getRegionIterArgs(),
           loop.getBody()->getTerminator()->getOperands());
  }
  assign(loop.getResults(), loop.getRegionIterArgs());
  return success();
}

LogicalResult Evaluator::runBranch(scf::IfOp branch) {
  TileRef condition = values.lookup(branch.getCondition());
  if (condition->errorAt(0) > 0)
    return refuse(branch, "decides by what rounding leaves open");
  Region &taken = condition->value[0] != 0 ? branch.getThenRegion()
                                           : branch.getElseRegion();
  if (taken.empty())
    return success();
  if (failed(runBlock(taken.front())))
    return failure();
  for (auto [result, yielded] : llvm::zip_equal(
           branch.getResults(), taken.front().getTerminator()->getOperands()))
    values[result] = values.lookup(yielded);
  return success();
}

/// The results of an operation without control and memory; empty when it is not
/// known.
TileValues Evaluator::compute(Operation *op) {
  auto one = [](std::optional<TileValue> value) {
    TileValues results;
    if (value)
      results.push_back(std::move(*value));
    return results;
  };
  if (auto literal = dyn_cast<arith::ConstantOp>(op))
    return one(constantOf(literal));
  if (isa<affine::AffineDialect>(op->getDialect()))
    if (auto value = tile::evaluate(op, integers(op->getOperands())))
      return one(TileValue(op->getResult(0).getType(), *value));
  SmallVector<TileRef> operands;
  for (Value operand : op->getOperands())
    operands.push_back(values.lookup(operand));
  if (auto reduction = dyn_cast<linalg::ReduceOp>(op))
    return reduce(reduction, operands, policy);
  if (auto prefix = dyn_cast<tile::ScanOp>(op))
    return scan(prefix, operands, policy);
  if (isa<arith::MulUIExtendedOp>(op)) {
    auto [low, high] = wideProduct(*operands[0], *operands[1]);
    return {std::move(low), std::move(high)};
  }
  auto result = elementwise(op, operands, policy);
  return one(result ? std::move(result) : tensorOp(op, operands, policy));
}

LogicalResult Evaluator::run(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return runBranch(branch);
  if (auto access = dyn_cast<tile::LoadOp>(op))
    return load(access);
  if (auto access = dyn_cast<tile::StoreOp>(op))
    return store(access);
  if (auto access = dyn_cast<tile::ReadOp>(op))
    return read(access);
  if (auto lanes = dyn_cast<tile::IndexOp>(op))
    return laneNumbers(lanes), success();
  if (auto lanes = dyn_cast<tile::MaskOp>(op))
    return mask(lanes), success();
  TileValues results = compute(op);
  if (results.empty())
    return refuse(op, "the interpreter does not know `" +
                          op->getName().getStringRef() + "` in this form");
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results))
    set(value, std::move(result));
  return success();
}

LogicalResult Evaluator::runBlock(Block &block) {
  for (Operation &op : block)
    if (!isa<scf::YieldOp>(op) && failed(run(&op)))
      return failure();
  return success();
}

LogicalResult Evaluator::runPoint(tile::GridOp grid, ArrayRef<int64_t> point,
                                  Visit at, Visit inOrderWith) {
  visit = at, owner = inOrderWith;
  for (auto [dim, index] : llvm::enumerate(point))
    set(grid.getIndex(dim), TileValue(grid.getIndex(dim).getType(), index));
  return runBlock(grid.getBody().front());
}
