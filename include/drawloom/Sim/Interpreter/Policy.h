// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a machine's arithmetic may stray from the exact answer.

#ifndef DRAWLOOM_SIM_INTERPRETER_POLICY_H
#define DRAWLOOM_SIM_INTERPRETER_POLICY_H

#include "drawloom/Machine/MachineModel.h"
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
  /// Absolute: results below this may become zero.
  double flush = 0;

  /// Of one product of the matrix unit with 16-bit operands: what the
  /// multiplier passes leave out.
  double product = 0;
  /// Of a 32-bit operand of arithmetic, which the operand registers cut.
  double wideOperand = 0;
  /// Added to a product's error for each 32-bit operand.
  double wideProduct = 0;
  /// Of one element-wise product, besides the rounding of its result.
  double elementProduct = 0;
  /// Of a sum of products, relative to the sum of their magnitudes: products
  /// are aligned to the largest of their group.
  double alignment = 0;
  /// Of one accumulation into Dst, relative to the magnitude so far, and the
  /// accumulations for each product along the reduction.
  double accumulate = 0, stepsPerProduct = 0;

  /// Rounding of a result of this element type; 0 for integers.
  double rounding(mlir::Type element) const;
  /// What arithmetic loses of an operand of this element type.
  double operandCut(mlir::Type element) const;
  /// Relative error of a product of operands of these element types.
  double productOf(mlir::Type lhs, mlir::Type rhs) const;
};

/// The bounds for programs of `precision` on a machine with these units. The
/// derivation of each is beside its formula in Policy.cpp.
Policy policyFor(const MatrixNumbers &matrix, const VectorNumbers &vector,
                 tile::PrecisionAttr precision);

} // namespace drawloom

#endif // DRAWLOOM_SIM_INTERPRETER_POLICY_H
