// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and scans of f32 in parts.

#include "Exact.h"

#include "../Expression.h"
#include "Rewrite.h"
#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static RankedTensorType withElement(Value value, Type element) {
  return RankedTensorType::get(cast<RankedTensorType>(value.getType()).getShape(), element);
}

/// Whether a value is taken in parts. What bf16 holds is too, where the source
/// says f32: its products would be aligned with loss.
static bool isWide(Value value) { return getElementTypeOrSelf(value).isF32(); }

namespace {

/// Cuts one operand; all values are made at the builder's place.
class Cutter {
public:
  Cutter(OpBuilder &b, Location loc, Value operand, int64_t axis, const OperandParts &parts)
      : b(b), loc(loc), operand(operand), axis(axis), parts(parts) {}

  /// The parts, the largest first; their elements are of f32.
  SmallVector<Value> cut();

private:
  Value splat(RankedTensorType type, double value) {
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, Attribute(b.getF32FloatAttr(value))));
  }
  Value power();
  Value repeated(Value vector);

  OpBuilder &b;
  Location loc;
  Value operand;
  int64_t axis;
  const OperandParts &parts;
};

} // namespace

/// The largest power of two up to the largest magnitude along the axis: the
/// exponent of that one, rounded to what the matrix unit keeps.
Value Cutter::power() {
  Type bf16 = b.getBF16Type(), f32 = b.getF32Type(), i32 = b.getI32Type();
  Value magnitude = math::AbsFOp::create(b, loc, operand);
  Value narrow = arith::TruncFOp::create(b, loc, withElement(operand, bf16), magnitude);
  SmallVector<int64_t> shape(cast<RankedTensorType>(operand.getType()).getShape());
  shape.erase(shape.begin() + axis);
  auto vector = RankedTensorType::get(shape, bf16);
  Value start = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(vector, Attribute(b.getFloatAttr(bf16, -std::numeric_limits<double>::infinity()))));
  auto larger = [](OpBuilder &inner, Location at, ValueRange args) {
    Value combined = arith::MaxNumFOp::create(inner, at, args[0], args[1]);
    linalg::YieldOp::create(inner, at, combined);
  };
  Value largest = linalg::ReduceOp::create(b, loc, narrow, start, SmallVector<int64_t>{axis}, larger)->getResult(0);
  Value wide = arith::ExtFOp::create(b, loc, withElement(largest, f32), largest);
  auto bits = withElement(largest, i32);
  Value exponents = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(bits, b.getI32IntegerAttr(0x7F800000)));
  Value kept = arith::AndIOp::create(b, loc, arith::BitcastOp::create(b, loc, bits, wide), exponents);
  return arith::BitcastOp::create(b, loc, withElement(largest, f32), kept);
}

Value Cutter::repeated(Value vector) {
  auto type = cast<RankedTensorType>(operand.getType());
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  return linalg::BroadcastOp::create(b, loc, vector, empty, SmallVector<int64_t>{axis})->getResult(0);
}

SmallVector<Value> Cutter::cut() {
  Value power = this->power();
  auto vector = cast<RankedTensorType>(power.getType());
  SmallVector<Value> result;
  Value rest = operand;
  double rounder = parts.rounder();
  for (int i = 0; i < parts.count; ++i, rounder = std::ldexp(rounder, -parts.bits)) {
    Value shift = repeated(arith::MulFOp::create(b, loc, power, splat(vector, rounder)));
    Value moved = arith::AddFOp::create(b, loc, rest, shift);
    result.push_back(arith::SubFOp::create(b, loc, moved, shift));
    if (i + 1 < parts.count)
      rest = arith::SubFOp::create(b, loc, rest, result.back());
  }
  return result;
}

static Value narrowed(OpBuilder &b, Location loc, Value part) {
  return arith::TruncFOp::create(b, loc, withElement(part, b.getBF16Type()), part);
}

/// The products of parts, of one matrix or of a batch, added up one after the other.
template <typename Product> static void takeWhole(Product product, const ExactParts &parts) {
  Value left = product.getOperand(0), right = product.getOperand(1);
  int64_t rank = cast<RankedTensorType>(left.getType()).getRank();
  if (!isWide(left) && !isWide(right))
    return;
  OpBuilder b(product);
  Location loc = product.getLoc();
  auto widened = [&](Value value) {
    if (getElementTypeOrSelf(value).isF32())
      return value;
    return Value(arith::ExtFOp::create(b, loc, withElement(value, b.getF32Type()), value));
  };
  SmallVector<Value> lefts = Cutter(b, loc, widened(left), rank - 1, parts.left).cut();
  SmallVector<Value> rights = Cutter(b, loc, widened(right), rank - 2, parts.right).cut();
  for (SmallVector<Value> *operands : {&lefts, &rights})
    for (Value &part : *operands)
      part = narrowed(b, loc, part);
  Value sum = product.getOperand(2);
  for (auto [i, j] : parts.products)
    sum = Product::create(b, loc, ValueRange{lefts[i], rights[j]}, ValueRange(sum))->getResult(0);
  product.getResult(0).replaceAllUsesWith(sum);
  product.erase();
}

/// The scans of parts, added up.
static LogicalResult takeWhole(tile::ScanOp scan, const ExactParts &parts) {
  if (!isSum(scan) || !isWide(scan.getTiles()[0]))
    return success();
  Value input = scan.getTiles()[0];
  if (cast<RankedTensorType>(input.getType()).getRank() != 2)
    return scan.emitError("scans f32 of ") << input.getType() << ", and the policy asks for exact operands: "
           << "scan blocks of two axes, or plan it with the default precision";
  OpBuilder b(scan);
  Location loc = scan.getLoc();
  int64_t axis = scan.getAxis();
  Value sum;
  SmallVector<Value> cut = Cutter(b, loc, input, axis, axis == 1 ? parts.left : parts.right).cut();
  for (Value part : llvm::reverse(cut)) {
    Operation *copy = b.clone(*scan.getOperation());
    copy->setOperand(0, part);
    sum = sum ? Value(arith::AddFOp::create(b, loc, sum, copy->getResult(0))) : copy->getResult(0);
  }
  scan.getResults()[0].replaceAllUsesWith(sum);
  scan.erase();
  return success();
}

LogicalResult drawloom::task::takeOperandsWhole(tile::GridOp grid, const ExactParts &parts) {
  SmallVector<Operation *> ops;
  grid.getBody().walk([&](Operation *op) {
    if (isa<linalg::MatmulOp, linalg::BatchMatmulOp, tile::ScanOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    LogicalResult done = success();
    if (auto product = dyn_cast<linalg::MatmulOp>(op))
      takeWhole(product, parts);
    else if (auto scan = dyn_cast<tile::ScanOp>(op))
      done = takeWhole(scan, parts);
    else if (auto product = dyn_cast<linalg::BatchMatmulOp>(op))
      takeWhole(product, parts);
    if (failed(done))
      return failure();
  }
  return success();
}

void drawloom::task::reduceWhole(tile::GridOp grid, ExactOps &exact) {
  grid.getBody().walk([&](linalg::ReduceOp reduce) {
    if (isWide(reduce.getInputs()[0]))
      exact.insert(reduce);
  });
}
