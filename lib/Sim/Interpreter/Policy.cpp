// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a machine's arithmetic may stray from the exact answer.

#include "drawloom/Sim/Interpreter/Policy.h"
#include <cmath>

using namespace mlir;
using namespace drawloom;

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

double Policy::operandCut(Type element) const {
  return element.isF32() || element.isF64() ? wideOperand : 0;
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

Policy drawloom::policyFor(const MatrixNumbers &numbers,
                           tile::PrecisionAttr precision) {
  Policy policy;
  bool wideDst = precision.getDst().isF32();
  int passes = phases(precision.getFidelity());

  // Truncation loses up to one unit of the last of 8 significand bits; nearest
  // half of it. The larger one, since a chain may go through either unit.
  policy.bf16 = std::ldexp(1.0, -7);
  policy.f16 = std::ldexp(1.0, -10);
  // An f32 tile may reach an operation through the operand registers, which
  // truncate, and leaves it through Dst.
  policy.wideOperand = std::ldexp(1.0, -numbers.srcMantissaBits);
  policy.f32 = wideDst ? std::ldexp(1.0, -23) : policy.bf16;
  // Functions are good to the last place of bf16.
  policy.function = policy.bf16;
  // Below the smallest normal number of an 8-bit exponent there is zero.
  policy.flush = std::ldexp(1.0, -126);

  policy.product = leftOut(numbers, precision.getFidelity());
  // Besides the truncation, no pass takes the lowest bit of the right operand.
  policy.wideProduct = 2 * policy.wideOperand;

  // Products are aligned to the largest of a group of 8 and rounded to half a
  // unit of its product, whose significand has leftBits + rightBits - 2 bits
  // behind the point. The other 7 lose at most that much each; later passes
  // weigh 2^(1-rightBits) and less, all of them together under an eighth.
  constexpr int kGroup = 8;
  int productBits = numbers.leftBits + numbers.rightBits - 2;
  policy.alignment = 1.125 * (kGroup - 1) * std::ldexp(0.5, -productBits);

  // One step takes two groups: three terms are aligned and their sum is
  // rounded, in 24 bits or, for a 16-bit Dst, 11 and 8 bits.
  policy.stepsPerProduct = passes / (2.0 * kGroup);
  policy.accumulate = wideDst ? std::ldexp(4.0, -24)
                              : std::ldexp(3.0, -11) + std::ldexp(1.0, -8);
  return policy;
}
