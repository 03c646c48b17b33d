// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer and index operations, which are exact.

#include "IntegerOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;

namespace drawloom {

static unsigned widthOf(Type element) {
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

/// The low `width` bits of `value`, as a tile holds them.
static int64_t wrap(int64_t value, unsigned width) {
  return width == 1    ? value & 1
         : width == 64 ? value
                       : llvm::SignExtend64(value, width);
}

/// The value of the bits read without a sign.
static uint64_t bitsOf(int64_t value, unsigned width) {
  return width == 64 ? value : value & llvm::maskTrailingOnes<uint64_t>(width);
}

/// The value of the bits read with a sign: an i1 of 1 is -1.
static int64_t signedOf(int64_t value, unsigned width) {
  return width == 1 ? -value : value;
}

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
  return false;
}

/// 2^63, which the largest 64-bit integers round to, has no int64_t.
static int64_t integerOf(double value) {
  return value >= 0x1p63 ? INT64_MAX : static_cast<int64_t>(value);
}

using Rule = llvm::unique_function<int64_t(int64_t, int64_t) const>;

/// Wrapping arithmetic, free of signed overflow.
static Rule wrapping(uint64_t (*f)(uint64_t, uint64_t)) {
  return [f](int64_t a, int64_t b) { return static_cast<int64_t>(f(a, b)); };
}

static Rule division(Operation *op, unsigned width) {
  // INT64_MIN / -1 has no value; like a zero divisor it gives zero here.
  auto guarded = [](auto f) -> Rule {
    return [f](int64_t a, int64_t b) -> int64_t {
      return b == 0 || (b == -1 && a == INT64_MIN) ? 0 : f(a, b);
    };
  };
  auto unsignedly = [width](auto f) -> Rule {
    return [f, width](int64_t a, int64_t b) -> int64_t {
      return b == 0 ? 0 : f(bitsOf(a, width), bitsOf(b, width));
    };
  };
  return llvm::TypeSwitch<Operation *, Rule>(op)
      .Case([&](arith::DivSIOp) {
        return guarded([](int64_t a, int64_t b) { return a / b; });
      })
      .Case([&](arith::RemSIOp) {
        return guarded([](int64_t a, int64_t b) { return a % b; });
      })
      .Case([&](arith::FloorDivSIOp) {
        return guarded(
            [](int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); });
      })
      .Case([&](arith::CeilDivSIOp) {
        return guarded(
            [](int64_t a, int64_t b) { return llvm::divideCeilSigned(a, b); });
      })
      .Case([&](arith::DivUIOp) {
        return unsignedly([](uint64_t a, uint64_t b) { return a / b; });
      })
      .Case([&](arith::RemUIOp) {
        return unsignedly([](uint64_t a, uint64_t b) { return a % b; });
      })
      .Default([](Operation *) { return Rule(); });
}

/// The rule of `op` on two operands of `width` bits; a unary one ignores the
/// second.
static Rule ruleOf(Operation *op, unsigned width) {
  auto shift = [width](auto f) -> Rule {
    return [f, width](int64_t a, int64_t b) -> int64_t {
      return b < 0 || b >= static_cast<int64_t>(width) ? 0 : f(a, b);
    };
  };
  return llvm::TypeSwitch<Operation *, Rule>(op)
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
      .Case([](arith::MaxSIOp) -> Rule {
        return [](int64_t a, int64_t b) { return std::max(a, b); };
      })
      .Case([](arith::MinSIOp) -> Rule {
        return [](int64_t a, int64_t b) { return std::min(a, b); };
      })
      .Case([&](arith::MaxUIOp) -> Rule {
        return [width](int64_t a, int64_t b) {
          return bitsOf(a, width) > bitsOf(b, width) ? a : b;
        };
      })
      .Case([&](arith::MinUIOp) -> Rule {
        return [width](int64_t a, int64_t b) {
          return bitsOf(a, width) < bitsOf(b, width) ? a : b;
        };
      })
      .Case([&](arith::ShLIOp) {
        return shift([](int64_t a, int64_t b) {
          return static_cast<int64_t>(uint64_t(a) << b);
        });
      })
      .Case([&](arith::ShRSIOp) {
        return shift([](int64_t a, int64_t b) { return a >> b; });
      })
      .Case([&](arith::ShRUIOp) {
        return shift([width](int64_t a, int64_t b) {
          return static_cast<int64_t>(bitsOf(a, width) >> b);
        });
      })
      .Case([&](arith::CmpIOp compare) -> Rule {
        auto predicate = compare.getPredicate();
        return [predicate, width](int64_t a, int64_t b) -> int64_t {
          return holds(predicate, a, b, width);
        };
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) -> Rule {
        return [width](int64_t a, int64_t) { return signedOf(a, width); };
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto) -> Rule {
        return [width](int64_t a, int64_t) {
          return static_cast<int64_t>(bitsOf(a, width));
        };
      })
      .Case([](arith::TruncIOp) -> Rule {
        return [](int64_t a, int64_t) { return a; };
      })
      .Default([&](Operation *) { return division(op, width); });
}

std::optional<TileValue> integerOp(Operation *op, ArrayRef<TileRef> operands) {
  Type operandType = operands[0]->element;
  if (operands.size() > 2 || !operandType.isIntOrIndex())
    return std::nullopt;
  Rule rule = ruleOf(op, widthOf(operandType));
  if (!rule)
    return std::nullopt;
  const TileValue &a = *operands[0], &b = *operands.back();
  TileValue result(getElementTypeOrSelf(op->getResult(0).getType()),
                   largestShape(operands));
  unsigned width = widthOf(result.element);
  int64_t stepA = a.size() > 1, stepB = b.size() > 1;
  for (int64_t i = 0; i < result.size(); ++i) {
    int64_t value =
        rule(integerOf(a.value[i * stepA]), integerOf(b.value[i * stepB]));
    result.value[i] = static_cast<double>(wrap(value, width));
    if (a.errorAt(i * stepA) + b.errorAt(i * stepB) > 0)
      result.errors()[i] = width == 1 ? 1 : INFINITY;
  }
  return result;
}

std::pair<TileValue, TileValue> wideProduct(const TileValue &a,
                                            const TileValue &b) {
  TileValue low(a.element, a.shape), high(a.element, a.shape);
  unsigned width = widthOf(a.element);
  for (int64_t i = 0; i < a.size(); ++i) {
    unsigned __int128 product =
        static_cast<unsigned __int128>(bitsOf(integerOf(a.value[i]), width)) *
        bitsOf(integerOf(b.value[i]), width);
    low.value[i] =
        static_cast<double>(wrap(static_cast<int64_t>(product), width));
    high.value[i] = static_cast<double>(
        wrap(static_cast<int64_t>(product >> width), width));
    if (a.errorAt(i) + b.errorAt(i) > 0)
      low.errors()[i] = high.errors()[i] = INFINITY;
  }
  return {std::move(low), std::move(high)};
}

} // namespace drawloom
