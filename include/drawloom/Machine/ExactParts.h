// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How f32 operands are cut so that the matrix unit multiplies them exactly.
//
// The unit aligns products to the largest of their group before it adds them,
// and so loses digits of the smaller ones whatever their operands hold. Parts
// that are small integers in one unit for all operands that meet in a sum lose
// none: see Ootomo, Ozaki et al., "DGEMM on integer matrix multiplication unit"
// (2024), for the same on units of integers.

#ifndef DRAWLOOM_MACHINE_EXACTPARTS_H
#define DRAWLOOM_MACHINE_EXACTPARTS_H

#include "drawloom/Machine/MachineModel.h"

namespace drawloom {

/// The parts of one operand. With p the largest power of two that is no larger
/// than the operand's largest magnitude along the axis summed over, part i (from
/// 0) is a multiple of p 2^(2 - bits (i + 1)) and at most p 2^(1 - bits i).
struct OperandParts {
  int bits;  ///< digits of a part: what one pass of the multiplier sees
  int count; ///< parts that together hold a 32-bit float next to the largest

  /// 1.5 2^23 units of the first part, over p: added and taken away again, it
  /// leaves the multiple of the unit that is nearest.
  double rounder() const;
};

struct ExactParts {
  OperandParts left, right;
  /// The products of parts that are taken, the smallest first.
  llvm::SmallVector<std::pair<int, int>> products;
  /// What the others are worth together, over the operands' largest magnitudes:
  /// a bound for each product of two elements.
  double leftOut;

  explicit ExactParts(const MatrixNumbers &numbers);
};

/// What parts leave of an operand, over its largest magnitude.
double leftOutBy(const OperandParts &parts);

} // namespace drawloom

#endif // DRAWLOOM_MACHINE_EXACTPARTS_H
