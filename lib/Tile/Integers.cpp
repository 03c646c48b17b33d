// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates integer and index operations, exactly.

#include "drawloom/Tile/Integers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom::tile {

using Result = std::optional<int64_t>;

static unsigned widthOf(Type element) {
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

int64_t wrapped(int64_t value, Type element) {
  unsigned width = widthOf(element);
  return width == 1    ? value & 1
         : width == 64 ? value
                       : llvm::SignExtend64(value, width);
}

static uint64_t bitsOf(int64_t value, unsigned width) {
  return width == 64 ? value : value & llvm::maskTrailingOnes<uint64_t>(width);
}

uint64_t unsignedOf(int64_t value, Type element) {
  return bitsOf(value, widthOf(element));
}

/// The value of the bits read with a sign: an i1 of 1 is -1.
static int64_t signedOf(int64_t value, unsigned width) {
  return width == 1 ? -value : value;
}

//===--- Operations of arith ----------------------------------------------===//

static bool holds(arith::CmpIPredicate predicate, int64_t a, int64_t b,
                  unsigned width) {
  using P = arith::CmpIPredicate;
  uint64_t x = bitsOf(a, width), y = bitsOf(b, width);
  a = signedOf(a, width), b = signedOf(b, width);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return a < b;
  case P::sle:
    return a <= b;
  case P::sgt:
    return a > b;
  case P::sge:
    return a >= b;
  case P::ult:
    return x < y;
  case P::ule:
    return x <= y;
  case P::ugt:
    return x > y;
  case P::uge:
    return x >= y;
  }
  llvm_unreachable("all predicates are listed");
}

/// Wrapping arithmetic, free of signed overflow.
static IntegerRule wrapping(uint64_t (*f)(uint64_t, uint64_t)) {
  return [f](int64_t a, int64_t b) -> Result {
    return static_cast<int64_t>(f(a, b));
  };
}

static IntegerRule division(int64_t (*f)(int64_t, int64_t)) {
  return [f](int64_t a, int64_t b) -> Result {
    if (b == 0 || (b == -1 && a == INT64_MIN))
      return std::nullopt;
    return f(a, b);
  };
}

static IntegerRule unsignedDivision(unsigned width,
                                    uint64_t (*f)(uint64_t, uint64_t)) {
  return [f, width](int64_t a, int64_t b) -> Result {
    if (b == 0)
      return std::nullopt;
    return f(bitsOf(a, width), bitsOf(b, width));
  };
}

static IntegerRule shift(unsigned width, int64_t (*f)(int64_t, int64_t)) {
  return [f, width](int64_t a, int64_t b) -> Result {
    if (b < 0 || b >= static_cast<int64_t>(width))
      return std::nullopt;
    return f(a, b);
  };
}

/// The one of the two that is larger without a sign, or smaller.
static IntegerRule unsignedExtreme(unsigned width, bool larger) {
  return [width, larger](int64_t a, int64_t b) -> Result {
    return (bitsOf(a, width) > bitsOf(b, width)) == larger ? a : b;
  };
}

static IntegerRule divisionRule(Operation *op, unsigned width) {
  return llvm::TypeSwitch<Operation *, IntegerRule>(op)
      .Case([](arith::DivSIOp) {
        return division([](int64_t a, int64_t b) { return a / b; });
      })
      .Case([](arith::RemSIOp) {
        return division([](int64_t a, int64_t b) { return a % b; });
      })
      .Case([](arith::FloorDivSIOp) {
        return division(&llvm::divideFloorSigned<int64_t, int64_t>);
      })
      .Case([](arith::CeilDivSIOp) {
        return division(&llvm::divideCeilSigned<int64_t, int64_t>);
      })
      .Case([&](arith::DivUIOp) {
        return unsignedDivision(width,
                                [](uint64_t a, uint64_t b) { return a / b; });
      })
      .Case([&](arith::RemUIOp) {
        return unsignedDivision(width,
                                [](uint64_t a, uint64_t b) { return a % b; });
      })
      .Case([&](arith::CeilDivUIOp) {
        return unsignedDivision(
            width, [](uint64_t a, uint64_t b) { return a / b + (a % b != 0); });
      })
      .Default([](Operation *) { return IntegerRule(); });
}

/// Shifts, comparisons and conversions of operands of `width` bits.
static IntegerRule bitRule(Operation *op, unsigned width) {
  return llvm::TypeSwitch<Operation *, IntegerRule>(op)
      .Case([&](arith::ShLIOp) {
        return shift(width, [](int64_t a, int64_t b) {
          return static_cast<int64_t>(uint64_t(a) << b);
        });
      })
      .Case([&](arith::ShRSIOp) {
        return shift(width, [](int64_t a, int64_t b) { return a >> b; });
      })
      .Case([&](arith::ShRUIOp) -> IntegerRule {
        return [width, rule = shift(width, [](int64_t a, int64_t b) {
                         return static_cast<int64_t>(uint64_t(a) >> b);
                       })](int64_t a, int64_t b) {
          return rule(bitsOf(a, width), b);
        };
      })
      .Case([&](arith::CmpIOp compare) -> IntegerRule {
        return [predicate = compare.getPredicate(),
                width](int64_t a, int64_t b) -> Result {
          return holds(predicate, a, b, width);
        };
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) -> IntegerRule {
        return [width](int64_t a, int64_t) -> Result {
          return signedOf(a, width);
        };
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto) -> IntegerRule {
        return
            [width](int64_t a, int64_t) -> Result { return bitsOf(a, width); };
      })
      .Case([](arith::TruncIOp) -> IntegerRule {
        return [](int64_t a, int64_t) -> Result { return a; };
      })
      .Default([&](Operation *) { return divisionRule(op, width); });
}

IntegerRule integerRule(Operation *op) {
  unsigned operands = op->getNumOperands();
  if (operands < 1 || operands > 2)
    return {};
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  if (!element.isIntOrIndex())
    return {};
  unsigned width = widthOf(element);
  return llvm::TypeSwitch<Operation *, IntegerRule>(op)
      .Case([](arith::AddIOp) {
        return wrapping([](uint64_t a, uint64_t b) { return a + b; });
      })
      .Case([](arith::SubIOp) {
        return wrapping([](uint64_t a, uint64_t b) { return a - b; });
      })
      .Case([](arith::MulIOp) {
        return wrapping([](uint64_t a, uint64_t b) { return a * b; });
      })
      .Case([](arith::AndIOp) {
        return wrapping([](uint64_t a, uint64_t b) { return a & b; });
      })
      .Case([](arith::OrIOp) {
        return wrapping([](uint64_t a, uint64_t b) { return a | b; });
      })
      .Case([](arith::XOrIOp) {
        return wrapping([](uint64_t a, uint64_t b) { return a ^ b; });
      })
      .Case([](arith::MaxSIOp) -> IntegerRule {
        return [](int64_t a, int64_t b) -> Result { return std::max(a, b); };
      })
      .Case([](arith::MinSIOp) -> IntegerRule {
        return [](int64_t a, int64_t b) -> Result { return std::min(a, b); };
      })
      .Case([&](arith::MaxUIOp) { return unsignedExtreme(width, true); })
      .Case([&](arith::MinUIOp) { return unsignedExtreme(width, false); })
      .Default([&](Operation *) { return bitRule(op, width); });
}

//===--- Affine expressions -----------------------------------------------===//

int64_t evaluate(AffineExprKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::FloorDiv:
    return b == 0 ? 0 : llvm::divideFloorSigned(a, b);
  case AffineExprKind::CeilDiv:
    return b == 0 ? 0 : llvm::divideCeilSigned(a, b);
  default:
    return b == 0 ? 0 : a - llvm::divideFloorSigned(a, b) * b;
  }
}

int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims,
                 ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  return evaluate(binary.getKind(), evaluate(binary.getLHS(), dims, symbols),
                  evaluate(binary.getRHS(), dims, symbols));
}

static SmallVector<int64_t> resultsOf(AffineMap map,
                                      ArrayRef<int64_t> operands) {
  ArrayRef<int64_t> dims = operands.take_front(map.getNumDims()),
                    symbols = operands.drop_front(map.getNumDims());
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    return evaluate(expr, dims, symbols);
  });
}

//===--- Scalars ----------------------------------------------------------===//

std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return value.getType().isInteger(1) ? constant.getZExtValue()
                                      : constant.getSExtValue();
}

std::optional<int64_t> evaluate(Operation *op, ArrayRef<int64_t> operands) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return resultsOf(apply.getAffineMap(), operands).front();
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return *llvm::min_element(resultsOf(least.getMap(), operands));
  if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    return *llvm::max_element(resultsOf(most.getMap(), operands));
  if (isa<arith::SelectOp>(op))
    return operands[operands[0] ? 1 : 2];
  IntegerRule rule = integerRule(op);
  Result value = rule ? rule(operands.front(), operands.back()) : std::nullopt;
  return value ? wrapped(*value, op->getResult(0).getType()) : value;
}

} // namespace drawloom::tile
