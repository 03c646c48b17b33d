// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares a machine's units with the ones the number formats were written for.
#include "MachineNumbers.h"

namespace drawloom::sim {

/// The multiplier, the tree of adders and the roundings of Numbers/.
static bool isModelled(const MatrixNumbers &unit) {
  return unit.srcMantissaBits == 10 && unit.leftBits == 7 &&
         unit.rightBits == 5 && unit.groupsPerStep == 2 &&
         unit.productsPerGroup == 8 && unit.wideAddendBits == 24 &&
         unit.narrowAddendBits == 11 &&
         unit.dstRounding == Rounding::NearestAway &&
         unit.packRounding == Rounding::NearestAway;
}

std::optional<std::string> unmodelledNumbers(const MachineModel &model) {
  if (!model.matrixNumbers() || !model.vectorNumbers())
    return "whose df.mat and df.vec do not both state how they handle numbers";
  if (!isModelled(*model.matrixNumbers()))
    return "whose matrix unit is not the one with operands of 10 mantissa "
           "bits, 7x5-bit multipliers, two groups of eight products, addends "
           "of 24 or 11 bits, and ties away from zero";
  if (model.vectorNumbers()->storeRounding != Rounding::Truncate)
    return "whose vector unit does not truncate to a 16-bit Dst";
  return std::nullopt;
}

std::optional<NumberModel> numberModel(const MachineModel &model, bool errata) {
  if (unmodelledNumbers(model))
    return std::nullopt;
  const VectorNumbers &vector = *model.vectorNumbers();
  return NumberModel{errata && model.matrixNumbers()->misnormalisesMinusOne,
                     vector.keepsZeroSign, vector.nan};
}

} // namespace drawloom::sim
