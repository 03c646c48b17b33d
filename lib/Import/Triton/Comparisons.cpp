// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons as the import follows them.

#include "Comparisons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace drawloom::tt {

//===-- Floats of the launch ------------------------------------------------//

/// The float a scalar is in every program of this launch.
static std::optional<APFloat> passedFloat(Value value, const Launch &launch, ArrayRef<unsigned> positions) {
  auto type = dyn_cast<FloatType>(value.getType());
  if (!type)
    return std::nullopt;
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return cast<FloatAttr>(constant.getValue()).getValue();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !isa<FuncOp>(argument.getOwner()->getParentOp()) || !argument.getOwner()->isEntryBlock())
    return std::nullopt;
  const auto &given = launch.arguments[positions[argument.getArgNumber()]].value;
  auto *number = std::get_if<double>(&given);
  auto *integer = std::get_if<int64_t>(&given);
  if (!number && !integer)
    return std::nullopt;
  APFloat result(number ? *number : double(*integer));
  bool loses;
  result.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return result;
}

static void decide(arith::CmpFOp op, const Launch &launch, ArrayRef<unsigned> positions) {
  auto left = passedFloat(op.getLhs(), launch, positions), right = passedFloat(op.getRhs(), launch, positions);
  if (!left || !right)
    return;
  OpBuilder b(op);
  bool holds = arith::applyCmpPredicate(op.getPredicate(), *left, *right);
  op.replaceAllUsesWith(arith::ConstantOp::create(b, op.getLoc(), b.getBoolAttr(holds)).getResult());
  op.erase();
}

//===-- Minima --------------------------------------------------------------//

/// The values whose minimum (or maximum) `value` is.
static SmallVector<Value> extremesIn(Value value, bool least) {
  Operation *op = value.getDefiningOp();
  if (least ? isa_and_nonnull<arith::MinSIOp>(op) : isa_and_nonnull<arith::MaxSIOp>(op)) {
    SmallVector<Value> all = extremesIn(op->getOperand(0), least);
    llvm::append_range(all, extremesIn(op->getOperand(1), least));
    return all;
  }
  if (!isa_and_nonnull<SplatOp, BroadcastOp, ExpandDimsOp, arith::ExtSIOp, arith::AddIOp, arith::SubIOp>(op))
    return {value};
  // All these grow with each operand, but for what is taken away.
  for (OpOperand &operand : op->getOpOperands()) {
    bool falls = isa<arith::SubIOp>(op) && operand.getOperandNumber() == 1;
    SmallVector<Value> all = extremesIn(operand.get(), least != falls);
    if (all.size() == 1)
      continue;
    OpBuilder b(op);
    for (Value &each : all) {
      IRMapping mapping;
      Operation *copy = b.clone(*op, mapping);
      copy->setOperand(operand.getOperandNumber(), each);
      each = copy->getResult(0);
    }
    return all;
  }
  return {value};
}

static void compareWithEach(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  bool less = op.getPredicate() == P::slt || op.getPredicate() == P::sle;
  if (!less && op.getPredicate() != P::sgt && op.getPredicate() != P::sge)
    return;
  SmallVector<Value> left = extremesIn(op.getLhs(), /*least=*/!less), right = extremesIn(op.getRhs(), /*least=*/less);
  if (left.size() * right.size() == 1)
    return;
  OpBuilder b(op);
  Value all;
  for (Value x : left)
    for (Value y : right) {
      Value holds = arith::CmpIOp::create(b, op.getLoc(), op.getPredicate(), x, y);
      all = all ? arith::AndIOp::create(b, op.getLoc(), all, holds) : holds;
    }
  op.replaceAllUsesWith(all);
  op.erase();
}

/// A minimum (maximum) as a float is that of the floats.
static void compareAsFloats(arith::SIToFPOp op) {
  Operation *extreme = op.getIn().getDefiningOp();
  if (!isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp>(extreme))
    return;
  OpBuilder b(op);
  SmallVector<Value> floats;
  for (Value operand : extreme->getOperands())
    floats.push_back(arith::SIToFPOp::create(b, op.getLoc(), op.getType(), operand));
  Value result = isa<arith::MinSIOp>(extreme)
                     ? Value(arith::MinNumFOp::create(b, op.getLoc(), floats[0], floats[1]))
                     : Value(arith::MaxNumFOp::create(b, op.getLoc(), floats[0], floats[1]));
  op.replaceAllUsesWith(result);
  op.erase();
}

void simplifyComparisons(FuncOp function, const Launch &launch, ArrayRef<unsigned> positions) {
  function.walk([&](Operation *op) {
    if (auto floats = dyn_cast<arith::CmpFOp>(op))
      decide(floats, launch, positions);
    else if (auto integers = dyn_cast<arith::CmpIOp>(op))
      compareWithEach(integers);
    else if (auto convert = dyn_cast<arith::SIToFPOp>(op))
      compareAsFloats(convert);
  });
}

} // namespace drawloom::tt
