// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a machine's arithmetic may stray from the exact answer.

#include "drawloom/Sim/Interpreter/Policy.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace drawloom;

/// Significand bits of the formats a Dst holds, hidden bit included.
static constexpr int kF32Bits = std::numeric_limits<float>::digits;
static constexpr int kBF16Bits = 8;

llvm::SmallVector<std::pair<llvm::StringRef, double>> Policy::terms() const {
  return {{"dst", f32},
          {"bf16", bf16},
          {"fidelity", product},
          {"operands", parts ? parts->leftOut : wideOperand},
          {"alignment", parts ? 0 : alignment},
          {"functions", function},
          {"approximate", approximate}};
}

double Policy::rounding(Type element) const {
  if (element.isBF16())
    return bf16;
  if (element.isF16())
    return f16;
  return isa<FloatType>(element) ? f32 : 0;
}

double Policy::productOf(Type lhs, Type rhs) const {
  auto isWide = [](Type type) { return type.getIntOrFloatBitWidth() > 16; };
  return product + wideProduct * (isWide(lhs) + isWide(rhs));
}

static bool isWide(Type element) { return element.isF32() || element.isF64(); }

double Policy::laneCut(Type element) const {
  return isWide(element) ? wideLane : 0;
}

double Policy::operandCut(Type element) const {
  return isWide(element) ? wideOperand : 0;
}

bool Policy::takesParts(Type element) const {
  return parts && isWide(element);
}

/// Relative error of a product from the operand bits its passes do not see. An
/// operand cut after n bits, hidden bit included, is short by less than
/// 2^(1-n); passes add, in this order, the right operand's low part, the left
/// operand's, and the product of both.
static double leftOut(const MatrixNumbers &numbers, Fidelity fidelity) {
  double left = std::ldexp(1.0, 1 - numbers.leftBits);
  double right = std::ldexp(1.0, 1 - numbers.rightBits);
  switch (fidelity) {
  case Fidelity::LoFi:
    return left + right;
  case Fidelity::HiFi2:
    return left;
  case Fidelity::HiFi3:
    return left * right;
  case Fidelity::HiFi4:
    return 0;
  }
  return 0;
}

/// Relative error of a sum of products, from aligning each to the largest of
/// its group: half a unit of a product, whose significand has leftBits +
/// rightBits - 2 bits behind the point, for all but the largest. Later passes
/// weigh less: those with the right operand's low part 2^(1-rightBits), those
/// with the left's 2^(1-leftBits), the last both.
static double misaligned(const MatrixNumbers &numbers) {
  int productBits = numbers.leftBits + numbers.rightBits - 2;
  double passes = (1 + std::ldexp(1.0, 1 - numbers.leftBits)) *
                  (1 + std::ldexp(1.0, 1 - numbers.rightBits));
  return passes * (numbers.productsPerGroup - 1) *
         std::ldexp(0.5, -productBits);
}

Policy drawloom::policyFor(const MatrixNumbers &numbers,
                           const VectorNumbers &vector,
                           tile::PrecisionAttr precision) {
  Policy policy;
  bool wideDst = precision.getDst().isF32();
  int passes = phases(precision.getFidelity());

  // Truncation loses up to one unit of the last of 8 significand bits; nearest
  // half of it. The larger one, since a chain may go through either unit.
  policy.bf16 = std::ldexp(1.0, 1 - kBF16Bits);
  policy.f16 = std::ldexp(1.0, -10);
  // An f32 tile reaches the matrix unit through the operand registers, which
  // truncate, the vector unit straight unless Dst is narrow, and leaves both
  // through Dst.
  policy.wideOperand = std::ldexp(1.0, -numbers.srcMantissaBits);
  policy.wideLane = wideDst ? 0 : policy.wideOperand;
  if (precision.getOperands() == tile::Operands::Exact)
    policy.parts.emplace(numbers);
  policy.f32 = wideDst ? std::ldexp(1.0, 1 - kF32Bits) : policy.bf16;
  // A function is right to its last bit.
  policy.function = std::ldexp(1.0, 1 - vector.functionBits);
  policy.approximate = std::ldexp(1.0, -5);
  // Below the smallest normal number of an 8-bit exponent there is zero.
  policy.flush = std::ldexp(1.0, -126);

  policy.product = leftOut(numbers, precision.getFidelity());
  // Besides the truncation, no pass takes the lowest bit of the right operand.
  policy.wideProduct = 2 * policy.wideOperand;

  // Element by element, the passes of a product add up in Dst. A 16-bit Dst
  // rounds each pass's term to half a unit, and each sum but the first to
  // another half; a unit is at most 2^(1 - kBF16Bits) of the value. The last
  // rounding is that of any result.
  policy.elementProduct =
      policy.product + (wideDst ? 0 : (2 * passes - 2) * std::ldexp(0.5, 1 - kBF16Bits));

  // The smaller addend of two from the operand registers is aligned to the
  // larger one's bits and rounded to half a unit.
  policy.elementSum = std::ldexp(0.5, -numbers.srcMantissaBits);

  policy.alignment = misaligned(numbers);

  // A step aligns its groups' sums and Dst to the largest of them, each rounded
  // to half a unit, then rounds the total to the width of Dst.
  int terms = numbers.groupsPerStep + 1;
  policy.stepsPerPass =
      1.0 / (numbers.groupsPerStep * numbers.productsPerGroup);
  policy.stepsPerProduct = passes * policy.stepsPerPass;
  policy.accumulate = std::ldexp(terms, -numbers.addendBits(wideDst)) +
                      std::ldexp(1.0, wideDst ? -kF32Bits : -kBF16Bits);
  return policy;
}
