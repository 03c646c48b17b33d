// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of 8 and 16 bits, and without a sign, as signed ones of 32.

#include "SmallIntegers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

/// Rewrites one operation on tiles.
class Widener {
public:
  explicit Widener(Operation *op) : op(op), b(op), loc(op->getLoc()) {}
  /// What replaces the operation's result; null where it stays.
  Value rewrite();

private:
  template <typename Op, typename... Args> Value make(Args... args) { return Op::create(b, loc, args...); }
  RankedTensorType like(Value value, Type element) {
    return RankedTensorType::get(cast<RankedTensorType>(value.getType()).getShape(), element);
  }
  Value number(Value like, int64_t value) {
    auto type = this->like(like, b.getI32Type());
    return make<arith::ConstantOp>(DenseElementsAttr::get(type, APInt(32, value, /*isSigned=*/true)));
  }
  /// A tile of few bits in 32.
  Value extended(Value value, bool isSigned) {
    unsigned width = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
    if (width == 32)
      return value;
    Value wide = make<arith::ExtSIOp>(like(value, b.getI32Type()), value);
    return isSigned ? wide : make<arith::AndIOp>(wide, number(wide, llvm::maskTrailingOnes<uint32_t>(width)));
  }
  /// The lowest bits as `type` has them, whose sign the lanes then have.
  Value narrowed(Value wide, Type type) {
    Value shift = number(wide, 32 - getElementTypeOrSelf(type).getIntOrFloatBitWidth());
    return make<arith::TruncIOp>(type, make<arith::ShRSIOp>(make<arith::ShLIOp>(wide, shift), shift));
  }
  Value isNegative(Value wide) {
    return make<arith::CmpIOp>(arith::CmpIPredicate::slt, wide, number(wide, 0));
  }

  Value computed();
  Value compared(arith::CmpIOp compare);
  Value toFloat(arith::UIToFPOp cast);
  Value toInteger(arith::FPToUIOp cast);
  template <typename Op> Value combined(bool isSigned, bool isNarrow);
  Value divided(bool wantsRest);

  Operation *op;
  OpBuilder b;
  Location loc;
};

bool isTileOf(Value value, ArrayRef<unsigned> widths) {
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(value));
  return element && isa<RankedTensorType>(value.getType()) && llvm::is_contained(widths, element.getWidth());
}
bool isSmall(Value value) { return isTileOf(value, {8, 16}); }
bool isWhole(Value value) { return isTileOf(value, {32}); }

} // namespace

template <typename Op> Value Widener::combined(bool isSigned, bool isNarrow) {
  Value result = make<Op>(extended(op->getOperand(0), isSigned), extended(op->getOperand(1), isSigned));
  return isNarrow ? narrowed(result, op->getResult(0).getType()) : result;
}

/// Without a sign, by a number whose double has none either: the quotient of the
/// half, which has none, and what then remains.
Value Widener::divided(bool wantsRest) {
  Value x = op->getOperand(0), divisor = op->getOperand(1);
  APInt known;
  if (!matchPattern(divisor, m_ConstantInt(&known)) || known.isZero() || known.getActiveBits() > 30)
    return {};
  Value one = number(x, 1);
  Value half = make<arith::ShRUIOp>(x, one);
  Value quotient = make<arith::ShLIOp>(make<arith::DivSIOp>(half, divisor), one);
  Value rest = make<arith::SubIOp>(x, make<arith::MulIOp>(quotient, divisor));
  Value fits = make<arith::CmpIOp>(arith::CmpIPredicate::sge, rest, divisor);
  if (wantsRest)
    return make<arith::SelectOp>(fits, make<arith::SubIOp>(rest, divisor), rest);
  return make<arith::SelectOp>(fits, make<arith::AddIOp>(quotient, one), quotient);
}

Value Widener::compared(arith::CmpIOp compare) {
  using P = arith::CmpIPredicate;
  P predicate = compare.getPredicate();
  Value x = compare.getLhs(), y = compare.getRhs();
  if (isSmall(x)) {
    bool isSigned = predicate < P::ult;
    P withSign = isSigned ? predicate : P(unsigned(predicate) - unsigned(P::ult) + unsigned(P::slt));
    return make<arith::CmpIOp>(withSign, extended(x, isSigned), extended(y, isSigned));
  }
  if (predicate != P::ule && predicate != P::uge)
    return {};
  Value strict = make<arith::CmpIOp>(predicate == P::ule ? P::ult : P::ugt, x, y);
  return make<arith::OrIOp>(strict, make<arith::CmpIOp>(P::eq, x, y));
}

/// From 2^31 on half of it, rounded to odd so that the double rounds as it should.
Value Widener::toFloat(arith::UIToFPOp cast) {
  Value x = cast.getIn();
  Type floats = cast.getType();
  if (isSmall(x))
    return make<arith::SIToFPOp>(floats, extended(x, false));
  Value one = number(x, 1);
  Value half = make<arith::OrIOp>(make<arith::ShRUIOp>(x, one), make<arith::AndIOp>(x, one));
  Value large = make<arith::SIToFPOp>(floats, half);
  return make<arith::SelectOp>(isNegative(x), make<arith::AddFOp>(large, large), make<arith::SIToFPOp>(floats, x));
}

Value Widener::toInteger(arith::FPToUIOp cast) {
  Value x = cast.getIn();
  Type integers = like(x, b.getI32Type());
  if (isSmall(cast.getOut()))
    return narrowed(make<arith::FPToSIOp>(integers, x), cast.getType());
  auto type = llvm::cast<RankedTensorType>(x.getType());
  Value limit = make<arith::ConstantOp>(
      DenseElementsAttr::get(type, Attribute(b.getFloatAttr(type.getElementType(), 0x1p31))));
  Value above = make<arith::FPToSIOp>(integers, make<arith::SubFOp>(x, limit));
  Value large = make<arith::XOrIOp>(above, number(above, std::numeric_limits<int32_t>::min()));
  Value isLarge = make<arith::CmpFOp>(arith::CmpFPredicate::OGE, x, limit);
  return make<arith::SelectOp>(isLarge, large, make<arith::FPToSIOp>(integers, x));
}

/// Arithmetic on two tiles of one type.
Value Widener::computed() {
  bool isNarrow = isSmall(op->getResult(0));
  if (!isNarrow && !isWhole(op->getResult(0)))
    return {};
  auto choose = [&](arith::CmpIPredicate predicate) {
    Value first = make<arith::CmpIOp>(predicate, op->getOperand(0), op->getOperand(1));
    return make<arith::SelectOp>(first, op->getOperand(0), op->getOperand(1));
  };
  if (!isNarrow)
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](arith::MaxUIOp) { return choose(arith::CmpIPredicate::ugt); })
        .Case([&](arith::MinUIOp) { return choose(arith::CmpIPredicate::ult); })
        .Case([&](arith::DivUIOp) { return divided(false); })
        .Case([&](arith::RemUIOp) { return divided(true); })
        .Default(Value());
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
            arith::ShRSIOp, arith::MaxSIOp, arith::MinSIOp, arith::DivSIOp, arith::RemSIOp>(
          [&](auto same) { return combined<decltype(same)>(true, true); })
      .Case([&](arith::ShRUIOp) { return combined<arith::ShRSIOp>(false, true); })
      .Case([&](arith::MaxUIOp) { return combined<arith::MaxSIOp>(false, true); })
      .Case([&](arith::MinUIOp) { return combined<arith::MinSIOp>(false, true); })
      .Case([&](arith::DivUIOp) { return combined<arith::DivSIOp>(false, true); })
      .Case([&](arith::RemUIOp) { return combined<arith::RemSIOp>(false, true); })
      .Default(Value());
}

Value Widener::rewrite() {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()) || op->getNumRegions())
    return {};
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compared(compare);
  if (auto cast = dyn_cast<arith::UIToFPOp>(op))
    return isSmall(cast.getIn()) || isWhole(cast.getIn()) ? toFloat(cast) : Value();
  if (auto cast = dyn_cast<arith::FPToUIOp>(op))
    return isSmall(cast.getOut()) || isWhole(cast.getOut()) ? toInteger(cast) : Value();
  bool isFromSmall = op->getNumOperands() == 1 && isSmall(op->getOperand(0));
  if (isa<arith::ExtUIOp>(op) && isFromSmall) {
    Value wide = extended(op->getOperand(0), false);
    return isWhole(op->getResult(0)) ? wide : make<arith::TruncIOp>(op->getResult(0).getType(), wide);
  }
  if (isa<arith::TruncIOp>(op) && isSmall(op->getResult(0)) && (isFromSmall || isWhole(op->getOperand(0))))
    return narrowed(extended(op->getOperand(0), true), op->getResult(0).getType());
  return op->getNumOperands() == 2 ? computed() : Value();
}

void drawloom::task::widenIntegers(tile::GridOp grid) {
  SmallVector<Operation *> ops;
  grid.getBody().walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (Value result = Widener(op).rewrite()) {
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
}
