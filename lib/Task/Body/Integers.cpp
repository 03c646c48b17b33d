// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients, scans and products of integers.

#include "Integers.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

/// Sums of whole numbers up to here are exact in the matrix unit.
static constexpr int64_t kExactSums = int64_t(1) << 24;

namespace {

/// Writes arithmetic on whole tiles.
class TileArithmetic {
public:
  TileArithmetic(Operation *before, RankedTensorType like)
      : b(before), loc(before->getLoc()), integers(withElement(like, b.getI32Type())),
        floats(withElement(like, b.getF32Type())) {}

  Value constant(int64_t value) {
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(integers, Attribute(b.getI32IntegerAttr(value))));
  }
  Value constant(double value) {
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(floats, Attribute(b.getF32FloatAttr(value))));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value subtract(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value multiply(Value x, Value y) { return arith::MulIOp::create(b, loc, x, y); }
  Value toFloat(Value x) { return arith::SIToFPOp::create(b, loc, floats, x); }
  Value toInteger(Value x) { return arith::FPToSIOp::create(b, loc, integers, x); }
  /// 1 where the comparison holds, else 0.
  Value holds(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::ExtUIOp::create(b, loc, integers, arith::CmpIOp::create(b, loc, predicate, x, y));
  }
  /// The quotient by a positive divisor, rounded down.
  Value floorQuotient(Value x, Value divisor);

  static RankedTensorType withElement(RankedTensorType type, Type element) {
    return RankedTensorType::get(type.getShape(), element);
  }

  OpBuilder b;
  Location loc;
  RankedTensorType integers, floats;
};

} // namespace

/// The float quotient of 32-bit numbers is wrong by less than 200: that of the
/// remainder then by one at most.
Value TileArithmetic::floorQuotient(Value x, Value divisor) {
  APInt known;
  Value inverse, wide;
  if (matchPattern(divisor, m_ConstantInt(&known)))
    inverse = constant(1.0 / static_cast<double>(known.getSExtValue()));
  else
    wide = toFloat(divisor);
  auto estimate = [&](Value of) {
    Value quotient = inverse ? Value(arith::MulFOp::create(b, loc, toFloat(of), inverse))
                             : Value(arith::DivFOp::create(b, loc, toFloat(of), wide));
    return toInteger(math::FloorOp::create(b, loc, quotient));
  };
  Value quotient, rest = x;
  for (int step = 0; step < 2; ++step) {
    Value more = estimate(rest);
    quotient = quotient ? add(quotient, more) : more;
    rest = subtract(rest, multiply(more, divisor));
  }
  quotient = add(quotient, holds(arith::CmpIPredicate::sge, rest, divisor));
  return subtract(quotient, holds(arith::CmpIPredicate::slt, rest, constant(int64_t(0))));
}

//===-- Numbers of lanes ----------------------------------------------------//

namespace {

class NumberSplitter {
public:
  explicit NumberSplitter(tile::IndexOp index)
      : op(index), firstLane(index.getAt().size()), type(cast<RankedTensorType>(index.getTile().getType())),
        write(index, type) {}
  bool isNeeded(AffineExpr expr) const;
  Value split(AffineExpr expr);

private:
  bool isUneven(AffineExpr expr) const;

  tile::IndexOp op;
  unsigned firstLane;
  RankedTensorType type;
  TileArithmetic write;
};

} // namespace

/// A quotient or remainder of lanes by a constant that is no power of two.
bool NumberSplitter::isUneven(AffineExpr expr) const {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || (binary.getKind() != AffineExprKind::FloorDiv && binary.getKind() != AffineExprKind::Mod))
    return false;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  unsigned first = firstLane;
  bool ofLanes = llvm::any_of(llvm::seq<unsigned>(first, first + type.getRank()),
                              [&](unsigned lane) { return binary.getLHS().isFunctionOfDim(lane); });
  return divisor && divisor.getValue() > 0 && ofLanes && !llvm::isPowerOf2_64(divisor.getValue());
}

bool NumberSplitter::isNeeded(AffineExpr expr) const {
  bool found = false;
  expr.walk([&](AffineExpr part) { found |= isUneven(part); });
  return found;
}

Value NumberSplitter::split(AffineExpr expr) {
  if (!isNeeded(expr))
    return tile::IndexOp::create(write.b, write.loc, type, op.getAt(),
                                 AffineMap::get(op.getMap().getNumDims(), 0, expr));
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = split(binary.getLHS());
  if (binary.getKind() == AffineExprKind::Add)
    return write.add(lhs, split(binary.getRHS()));
  Value rhs = write.constant(cast<AffineConstantExpr>(binary.getRHS()).getValue());
  if (binary.getKind() == AffineExprKind::Mul)
    return write.multiply(lhs, rhs);
  Value quotient = write.floorQuotient(lhs, rhs);
  return binary.getKind() == AffineExprKind::Mod ? write.subtract(lhs, write.multiply(quotient, rhs)) : quotient;
}

void drawloom::task::splitNumbers(tile::IndexOp op) {
  NumberSplitter splitter(op);
  AffineExpr expr = op.getMap().getResult(0);
  if (!splitter.isNeeded(expr) || !getElementTypeOrSelf(op.getTile()).isInteger(32))
    return;
  op.getTile().replaceAllUsesWith(splitter.split(expr));
  op.erase();
}

/// Lanes chosen by comparing such a number with zero, instead of bounds.
void drawloom::task::splitBounds(tile::MaskOp op) {
  auto type = cast<RankedTensorType>(op.getTile().getType());
  IntegerSet bounds = op.getBounds();
  TileArithmetic write(op, type);
  SmallVector<AffineExpr> even;
  Value tile = op.getTile(), other;
  for (AffineExpr expr : bounds.getConstraints()) {
    auto number = tile::IndexOp::create(write.b, write.loc, write.integers, op.getAt(),
                                        AffineMap::get(bounds.getNumDims(), 0, expr));
    if (!NumberSplitter(number).isNeeded(expr)) {
      even.push_back(expr);
      number.erase();
      continue;
    }
    if (!other)
      other = arith::ConstantOp::create(write.b, write.loc, DenseElementsAttr::get(type, Attribute(op.getOther())));
    Value inside = arith::CmpIOp::create(write.b, write.loc, arith::CmpIPredicate::sge, number.getTile(),
                                         write.constant(int64_t(0)));
    tile = arith::SelectOp::create(write.b, write.loc, inside, tile, other);
    splitNumbers(number);
  }
  if (tile == op.getTile())
    return;
  if (!even.empty()) {
    SmallVector<bool> inequalities(even.size(), false);
    tile = tile::MaskOp::create(write.b, write.loc, type, tile, op.getAt(),
                                IntegerSet::get(bounds.getNumDims(), 0, even, inequalities), op.getOther());
  }
  op.getResult().replaceAllUsesWith(tile);
  op.erase();
}

//===-- Quotients -----------------------------------------------------------//

namespace {
struct Quotient {
  Value quotient, rest;
};
} // namespace

/// Rounded to zero, as integers are divided.
static std::optional<Quotient> divided(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.getElementType().isInteger(32))
    return std::nullopt;
  TileArithmetic write(op, type);
  Value x = op->getOperand(0), divisor = op->getOperand(1), zero = write.constant(int64_t(0));
  APInt known;
  bool isPositive = matchPattern(divisor, m_ConstantInt(&known)) && known.isStrictlyPositive();
  Value magnitude = divisor;
  if (!isPositive)
    magnitude = arith::MaxSIOp::create(write.b, write.loc, divisor, write.subtract(zero, divisor));
  Value quotient = write.floorQuotient(x, magnitude);
  // Down is away from zero below it, unless nothing remains.
  Value rest = write.subtract(x, write.multiply(quotient, magnitude));
  Value below = write.multiply(write.holds(arith::CmpIPredicate::slt, x, zero),
                               write.holds(arith::CmpIPredicate::ne, rest, zero));
  quotient = write.add(quotient, below);
  rest = write.subtract(rest, write.multiply(below, magnitude));
  if (!isPositive) {
    Value isNegative = arith::CmpIOp::create(write.b, write.loc, arith::CmpIPredicate::slt, divisor, zero);
    quotient = arith::SelectOp::create(write.b, write.loc, isNegative, write.subtract(zero, quotient), quotient);
  }
  return Quotient{quotient, rest};
}

void drawloom::task::splitDivision(arith::DivSIOp op) {
  if (auto result = divided(op)) {
    op.replaceAllUsesWith(result->quotient);
    op.erase();
  }
}

void drawloom::task::splitDivision(arith::RemSIOp op) {
  if (auto result = divided(op)) {
    op.replaceAllUsesWith(result->rest);
    op.erase();
  }
}

//===-- Scans ---------------------------------------------------------------//

void drawloom::task::splitIntegerScan(tile::ScanOp scan) {
  mlir::Block &body = scan.getCombiner().front();
  auto type = cast<RankedTensorType>(scan.getTiles()[0].getType());
  bool isSum = scan.getTiles().size() == 1 && llvm::range_size(body) == 2 && isa<arith::AddIOp>(body.front()) &&
               body.getTerminator()->getOperand(0) == body.front().getResult(0);
  constexpr int64_t byte = 256;
  if (!isSum || !type.getElementType().isInteger(32) || type.getDimSize(scan.getAxis()) * byte >= kExactSums)
    return;
  TileArithmetic write(scan, type);
  Value total;
  for (int64_t shift : {0, 8, 16, 24}) {
    Value part = arith::ShRUIOp::create(write.b, write.loc, scan.getTiles()[0], write.constant(shift));
    part = write.toFloat(arith::AndIOp::create(write.b, write.loc, part, write.constant(byte - 1)));
    auto sums = tile::ScanOp::create(write.b, write.loc, TypeRange{write.floats}, ValueRange{part}, scan.getAxis(),
                                     scan.getReverse());
    mlir::Block &combiner = sums.getCombiner().emplaceBlock();
    Type f32 = write.b.getF32Type();
    combiner.addArguments({f32, f32}, {write.loc, write.loc});
    OpBuilder inner = OpBuilder::atBlockBegin(&combiner);
    Value sum = arith::AddFOp::create(inner, write.loc, combiner.getArgument(0), combiner.getArgument(1));
    tile::YieldOp::create(inner, write.loc, sum);
    Value bytes = write.toInteger(sums.getResult(0));
    if (shift)
      bytes = arith::ShLIOp::create(write.b, write.loc, bytes, write.constant(shift));
    total = total ? write.add(total, bytes) : bytes;
  }
  scan.replaceAllUsesWith(ValueRange(total));
  scan.erase();
}

//===-- Products ------------------------------------------------------------//

/// The matrix unit keeps 12 bits below the largest of the products it adds at
/// once, so the right operand goes in halves of four bits.
void drawloom::task::splitIntegerProduct(linalg::MatmulOp product) {
  auto type = cast<RankedTensorType>(product.getResult(0).getType());
  Value lhs = product.getInputs()[0], rhs = product.getInputs()[1];
  constexpr int64_t halfBits = 4, largest = 128 << halfBits;
  bool fits = getElementTypeOrSelf(lhs).isInteger(8) && getElementTypeOrSelf(rhs).isInteger(8) &&
              type.getElementType().isInteger(32) && !product.hasUserDefinedMaps() &&
              cast<RankedTensorType>(lhs.getType()).getDimSize(1) * largest <= kExactSums;
  if (!fits)
    return;
  auto right = cast<RankedTensorType>(rhs.getType());
  TileArithmetic write(product, type), halves(product, right);
  auto narrow = [&](Value operand) -> Value {
    auto from = cast<RankedTensorType>(operand.getType());
    return arith::SIToFPOp::create(write.b, write.loc, TileArithmetic::withElement(from, write.b.getBF16Type()), operand);
  };
  auto multiply = [&](Value half) {
    Value sums = linalg::MatmulOp::create(write.b, write.loc, ValueRange{narrow(lhs), narrow(half)},
                                          ValueRange{write.constant(0.0)})
                     ->getResult(0);
    return write.toInteger(sums);
  };
  Value wide = arith::ExtSIOp::create(write.b, write.loc, halves.integers, rhs);
  Value low = arith::AndIOp::create(write.b, write.loc, wide, halves.constant((int64_t(1) << halfBits) - 1));
  Value high = arith::ShRSIOp::create(write.b, write.loc, wide, halves.constant(halfBits));
  Value upper = arith::ShLIOp::create(write.b, write.loc, multiply(high), write.constant(halfBits));
  product.getResult(0).replaceAllUsesWith(write.add(write.add(multiply(low), upper), product.getOutputs()[0]));
  product.erase();
}
