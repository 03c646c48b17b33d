// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The floating-point operations of arith and math, and selection.

#include "Elementwise.h"
#include "IntegerOps.h"
#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace drawloom {
namespace {

/// Applies scalar rules lane by lane, with the policy's cuts and roundings.
/// Operands of one element stand for every lane.
class Lanes {
public:
  Lanes(Operation *op, ArrayRef<TileRef> operands, const Policy &policy)
      : element(getElementTypeOrSelf(op->getResult(0).getType())),
        shape(largestShape(operands)), operands(operands), policy(policy) {}

  /// Float arithmetic: operands are cut, the result is rounded; `accuracy` is
  /// the relative error of the operation itself.
  template <typename F> TileValue arithmetic(F f, double accuracy = 0) const {
    return apply(f, /*cut=*/true, rounding() + accuracy, 0);
  }
  /// A function of the vector unit that is accurate relative to its result.
  template <typename F> TileValue function(F f) const {
    return functionWithin(policy.function, f);
  }
  template <typename F> TileValue functionWithin(double accuracy, F f) const {
    return apply([&](Approx x) { return monotone(f, x); }, true,
                 rounding() + accuracy, 0);
  }
  template <typename F> TileValue exponential(Operation *op, F f) const {
    return functionWithin(tile::isApproximate(op) ? policy.approximate : policy.function, f);
  }
  /// One that is accurate relative to 1, for it has zeros.
  template <typename F> TileValue functionAroundZero(F f) const {
    return apply(f, true, rounding() + policy.function, policy.function);
  }
  /// Moves values; rounds only to a narrower type.
  template <typename F> TileValue exactly(F f) const {
    return apply(f, false, 0, 0);
  }
  template <typename F> TileValue rounded(F f) const {
    return apply(f, false, rounding(), 0);
  }

  double functionAccuracy() const { return policy.function; }
  double productAccuracy() const { return policy.elementProduct; }
  /// A sum, in the matrix unit where bf16 holds both operands.
  template <typename F> TileValue sum(F f, bool isNarrow) const {
    double aligned = isNarrow ? policy.elementSum : 0;
    return arithmetic([=](Approx a, Approx b) {
      Approx sum = f(a, b);
      if (std::isfinite(sum.value))
        sum.error += aligned * std::max(std::abs(a.value), std::abs(b.value));
      return sum;
    });
  }

private:
  double rounding() const { return policy.rounding(element); }

  Approx operand(unsigned which, int64_t lane, bool cut) const {
    const TileValue &tile = *operands[which];
    if (tile.size() == 1)
      lane = 0;
    Approx x{tile.value[lane], tile.errorAt(lane)};
    if (cut && cuts[which] && std::isfinite(x.value))
      x.error += cuts[which] * std::abs(x.value);
    return x;
  }

  template <typename F>
  TileValue apply(F f, bool cut, double relative, double absolute) const {
    TileValue result(element, shape);
    std::vector<double> error(result.size());
    double flush = relative > 0 ? policy.flush : 0;
    for (unsigned i = 0; i < operands.size() && i < 3; ++i)
      cuts[i] = policy.laneCut(operands[i]->element);
    double any = 0;
    for (int64_t lane = 0; lane < result.size(); ++lane) {
      Approx y = call(f, lane, cut);
      result.value[lane] = y.value;
      if (std::isfinite(y.value))
        y.error += relative * std::abs(y.value) + absolute + flush;
      error[lane] = y.error;
      any = y.error == 0 ? any : 1;
    }
    if (any)
      result.error = std::move(error);
    return result;
  }

  template <typename F> Approx call(F f, int64_t lane, bool cut) const {
    if constexpr (std::is_invocable_v<F, Approx>)
      return f(operand(0, lane, cut));
    else if constexpr (std::is_invocable_v<F, Approx, Approx>)
      return f(operand(0, lane, cut), operand(1, lane, cut));
    else
      return f(operand(0, lane, cut), operand(1, lane, cut),
               operand(2, lane, cut));
  }

  Type element;
  ArrayRef<int64_t> shape;
  ArrayRef<TileRef> operands;
  const Policy &policy;
  mutable double cuts[3] = {};
};

} // namespace

/// The truth of an ordered or unordered comparison.
static bool holds(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !unordered;
  case P::UNO:
    return unordered;
  case P::OEQ:
    return a == b;
  case P::ONE:
    return !unordered && a != b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::UEQ:
    return unordered || a == b;
  case P::UNE:
    return unordered || a != b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  }
  return false;
}

static std::optional<TileValue> floatArithmetic(Operation *op,
                                                const Lanes &lanes) {
  using Result = std::optional<TileValue>;
  auto monotonic = [](auto f) {
    return [f](Approx x) { return monotone(f, x); };
  };
  bool isNarrow = llvm::all_of(op->getOperands(), fitsNarrow);
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddFOp) {
        return lanes.sum([](Approx a, Approx b) { return a + b; }, isNarrow);
      })
      .Case([&](arith::SubFOp) {
        return lanes.sum([](Approx a, Approx b) { return a - b; }, isNarrow);
      })
      .Case([&](arith::MulFOp) {
        return lanes.arithmetic([](Approx a, Approx b) { return a * b; },
                                lanes.productAccuracy());
      })
      .Case([&](arith::DivFOp) {
        // A reciprocal of the vector unit, then a product.
        return lanes.arithmetic([](Approx a, Approx b) { return a / b; },
                                lanes.functionAccuracy());
      })
      .Case([&](math::FmaOp) {
        return lanes.arithmetic(
            [](Approx a, Approx b, Approx c) { return a * b + c; });
      })
      .Case([&](arith::MaximumFOp) { return lanes.arithmetic(maximum); })
      .Case([&](arith::MinimumFOp) { return lanes.arithmetic(minimum); })
      .Case([&](arith::MaxNumFOp) { return lanes.arithmetic(maximumNumber); })
      .Case([&](arith::MinNumFOp) { return lanes.arithmetic(minimumNumber); })
      .Case([&](arith::NegFOp) {
        return lanes.exactly(
            [](Approx x) { return Approx{-x.value, x.error}; });
      })
      .Case([&](math::AbsFOp) {
        return lanes.exactly(
            [](Approx x) { return Approx{std::abs(x.value), x.error}; });
      })
      .Case([&](math::FloorOp) {
        return lanes.exactly(monotonic([](double x) { return std::floor(x); }));
      })
      .Case([&](math::CeilOp) {
        return lanes.exactly(monotonic([](double x) { return std::ceil(x); }));
      })
      .Default(Result());
}

static std::optional<TileValue> functions(Operation *op, const Lanes &lanes) {
  using Result = std::optional<TileValue>;
  auto around = [&](double (*f)(double)) {
    return lanes.functionAroundZero([f](Approx x) { return monotone(f, x); });
  };
  auto wave = [&](double (*f)(double)) {
    return lanes.functionAroundZero([f](Approx x) { return bounded(f, x); });
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](math::ExpOp) {
        return lanes.exponential(op, [](double x) { return std::exp(x); });
      })
      .Case([&](math::Exp2Op) {
        return lanes.exponential(op, [](double x) { return std::exp2(x); });
      })
      .Case([&](math::RsqrtOp) {
        return lanes.function([](double x) { return 1 / std::sqrt(x); });
      })
      .Case([&](math::SqrtOp) {
        return lanes.arithmetic(
            [](Approx x) {
              // A bound that reaches below zero ends there.
              auto root = [&](double v) {
                return std::sqrt(x.value < 0 ? v : std::max(v, 0.0));
              };
              return monotone(root, x);
            },
            lanes.functionAccuracy());
      })
      .Case([&](math::LogOp) {
        return around([](double x) { return std::log(x); });
      })
      .Case([&](math::Log2Op) {
        return around([](double x) { return std::log2(x); });
      })
      .Case([&](math::Log1pOp) {
        return around([](double x) { return std::log1p(x); });
      })
      .Case([&](math::ExpM1Op) {
        return around([](double x) { return std::expm1(x); });
      })
      .Case([&](math::TanhOp) {
        return around([](double x) { return std::tanh(x); });
      })
      .Case([&](math::ErfOp) {
        return around([](double x) { return std::erf(x); });
      })
      .Case([&](math::SinOp) {
        return wave([](double x) { return std::sin(x); });
      })
      .Case([&](math::CosOp) {
        return wave([](double x) { return std::cos(x); });
      })
      .Default(Result());
}

/// The bits of a float of 32 as an integer. What rounding leaves open has no
/// bits; which ones make a NaN is the machine's.
static Approx bitsOf(Approx x) {
  if (x.error > 0 || std::isnan(x.value))
    return {0, INFINITY};
  return {double(llvm::bit_cast<int32_t>(float(x.value))), 0};
}

static Approx floatOf(Approx bits) {
  float number = llvm::bit_cast<float>(int32_t(bits.value));
  return {number, bits.error > 0 ? INFINITY : 0};
}

static std::optional<TileValue> conversions(Operation *op, const Lanes &lanes,
                                            ArrayRef<TileRef> operands) {
  using Result = std::optional<TileValue>;
  auto same = [](Approx x) { return x; };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::ExtFOp>([&](auto) { return lanes.exactly(same); })
      .Case<arith::TruncFOp, arith::SIToFPOp>(
          [&](auto) { return lanes.rounded(same); })
      .Case([&](arith::UIToFPOp) {
        unsigned width = operands[0]->element.getIntOrFloatBitWidth();
        return lanes.rounded([width](Approx x) {
          return Approx{x.value < 0 ? x.value + std::ldexp(1.0, width)
                                    : x.value,
                        x.error};
        });
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([&](auto cast) {
        unsigned width = getElementTypeOrSelf(cast.getType()).getIntOrFloatBitWidth();
        bool wraps = isa<arith::FPToUIOp>(cast);
        return lanes.exactly([=](Approx x) {
          Approx whole = monotone([](double v) { return std::trunc(v); }, x);
          // What its integers do not hold is undefined.
          double limit = std::ldexp(wraps ? 1.0 : 0.5, width);
          if (!(whole.value >= -limit && whole.value < limit))
            return Approx{0, INFINITY};
          // Integers are kept with a sign.
          if (wraps && whole.value >= std::ldexp(0.5, width))
            whole.value -= std::ldexp(1.0, width);
          return whole;
        });
      })
      .Case([&](arith::BitcastOp bits) -> Result {
        if (getElementTypeOrSelf(bits.getIn()).getIntOrFloatBitWidth() != 32)
          return std::nullopt;
        bool gives = isa<FloatType>(getElementTypeOrSelf(bits.getType()));
        return lanes.exactly(gives ? floatOf : bitsOf);
      })
      .Case([&](arith::CmpFOp compare) {
        auto predicate = compare.getPredicate();
        return lanes.exactly([predicate](Approx a, Approx b) {
          return comparison(
              [&](double x, double y) { return holds(predicate, x, y); }, a, b);
        });
      })
      .Case([&](arith::SelectOp) {
        return lanes.exactly(
            [](Approx c, Approx a, Approx b) { return select(c, a, b); });
      })
      .Default(Result());
}

std::optional<TileValue> elementwise(Operation *op, ArrayRef<TileRef> operands,
                                     const Policy &policy) {
  if (op->getNumResults() != 1 || operands.empty())
    return std::nullopt;
  Lanes lanes(op, operands, policy);
  if (auto result = floatArithmetic(op, lanes))
    return result;
  if (auto result = functions(op, lanes))
    return result;
  if (auto result = conversions(op, lanes, operands))
    return result;
  return integerOp(op, operands);
}

Combiner combinerOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Combiner>(op)
      .Case<arith::AddFOp>(
          [](auto) { return [](Approx a, Approx b) { return a + b; }; })
      .Case<arith::MulFOp>(
          [](auto) { return [](Approx a, Approx b) { return a * b; }; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>([](auto) { return maximum; })
      .Case<arith::MinimumFOp, arith::MinSIOp>([](auto) { return minimum; })
      .Case([](arith::MaxNumFOp) { return maximumNumber; })
      .Case([](arith::MinNumFOp) { return minimumNumber; })
      .Default(Combiner());
}

} // namespace drawloom
