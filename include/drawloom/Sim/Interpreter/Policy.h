// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a machine's arithmetic may stray from the exact answer.

#ifndef DRAWLOOM_SIM_INTERPRETER_POLICY_H
#define DRAWLOOM_SIM_INTERPRETER_POLICY_H

#include "drawloom/Machine/ExactParts.h"
#include "drawloom/Tile/Tile.h"

namespace drawloom {

/// Relative errors the interpreter carries along. Each is a bound, not an
/// estimate: a result farther from the exact one than they allow is a fault.
/// All zero means exact arithmetic.
struct Policy {
  /// Of one rounding to a 16-bit or 32-bit float result, and of f16.
  double bf16 = 0, f32 = 0, f16 = 0;
  /// Of one evaluation of a function (exp, log, ...) by the vector unit.
  double function = 0;
  /// Of one approximate exponential: a line between powers of two is off by up to
  /// 3.0 %, and takes 8 bits; sim::VectorUnary's ExpApprox.
  double approximate = 0;
  /// Absolute: results below this may become zero.
  double flush = 0;

  /// Of one product of the matrix unit with 16-bit operands: what the
  /// multiplier passes leave out.
  double product = 0;
  /// Of a 32-bit operand of the matrix unit, which its registers cut; and of
  /// one of lane by lane arithmetic, which passes them only on its way to a
  /// 16-bit Dst.
  double wideOperand = 0, wideLane = 0;
  /// Added to a product's error for each 32-bit operand.
  double wideProduct = 0;
  /// How 32-bit operands are taken in parts, if they are not cut.
  std::optional<ExactParts> parts;
  /// Of one element-wise product, besides the rounding of its result.
  double elementProduct = 0;
  /// Of one element-wise sum of 16-bit operands, relative to the larger one.
  double elementSum = 0;
  /// Of a sum of products, relative to the sum of their magnitudes: products
  /// are aligned to the largest of their group.
  double alignment = 0;
  /// Of one accumulation into Dst, relative to the magnitude so far, and the
  /// accumulations for each product along the reduction: in all passes of the
  /// multiplier, and in one.
  double accumulate = 0, stepsPerProduct = 0, stepsPerPass = 0;

  /// What one operation may lose, relative to its result, by what of the policy
  /// loses it: for reports.
  llvm::SmallVector<std::pair<llvm::StringRef, double>> terms() const;

  /// Rounding of a result of this element type; 0 for integers.
  double rounding(mlir::Type element) const;
  /// What lane by lane arithmetic loses of an operand of this element type.
  double laneCut(mlir::Type element) const;
  /// The same of the matrix unit.
  double operandCut(mlir::Type element) const;
  /// Whether products and sums with an operand of this element type are taken
  /// in parts.
  bool takesParts(mlir::Type element) const;
  /// Relative error of a product of operands of these element types.
  double productOf(mlir::Type lhs, mlir::Type rhs) const;
};

/// The bounds for programs of `precision` on a machine with these units. The
/// derivation of each is beside its formula in Policy.cpp.
Policy policyFor(const MatrixNumbers &matrix, const VectorNumbers &vector,
                 tile::PrecisionAttr precision);

} // namespace drawloom

#endif // DRAWLOOM_SIM_INTERPRETER_POLICY_H
