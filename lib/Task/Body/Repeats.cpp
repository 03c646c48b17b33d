// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves repetitions before what is computed lane by lane.

#include "Repeats.h"

#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// One result of operands of its shape, lane by lane.
static bool isLaneByLane(Operation *op) {
  return op && op->getNumResults() == 1 && !op->getNumRegions() && !isa<arith::ConstantOp>(op) &&
         isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           auto type = dyn_cast<RankedTensorType>(operand.getType());
           return type && type.getShape() == typeOf(op->getResult(0)).getShape();
         });
}

static bool comesFromRepeat(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<linalg::BroadcastOp>(op) ||
         (isLaneByLane(op) && llvm::any_of(op->getOperands(), comesFromRepeat));
}

/// `value` repeated along new axes `dims` of `shape`.
static Value repeated(OpBuilder &b, Value value, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  Location loc = value.getLoc();
  auto type = RankedTensorType::get(shape, typeOf(value).getElementType());
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && constant.isSplat())
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, constant.getSplatValue<Attribute>()));
  if (auto inner = value.getDefiningOp<linalg::BroadcastOp>()) {
    SmallVector<int64_t> all(dims);
    int64_t axis = 0; // of the inner result
    for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim)
      if (!llvm::is_contained(dims, dim) && llvm::is_contained(inner.getDimensions(), axis++))
        all.push_back(dim);
    llvm::sort(all);
    return repeated(b, inner.getInput(), shape, all);
  }
  if (Operation *op = value.getDefiningOp(); isLaneByLane(op) && comesFromRepeat(value)) {
    OperationState state(loc, op->getName());
    for (Value operand : op->getOperands())
      state.addOperands(repeated(b, operand, shape, dims));
    state.addTypes(type);
    state.addAttributes(op->getAttrs());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    return b.create(state)->getResult(0);
  }
  Value empty = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  return linalg::BroadcastOp::create(b, loc, value, empty, dims)->getResult(0);
}

void drawloom::task::joinRepeats(linalg::BroadcastOp repeat) {
  RankedTensorType type = typeOf(repeat.getResult()[0]);
  Value input = repeat.getInput();
  if (typeOf(input).getRank() < 2 || repeatedKind(repeat.getDimensions(), type.getRank()) == Form::Block ||
      !comesFromRepeat(input))
    return;
  OpBuilder b(repeat);
  repeat.getResult()[0].replaceAllUsesWith(repeated(b, input, type.getShape(), repeat.getDimensions()));
  repeat.erase();
}
