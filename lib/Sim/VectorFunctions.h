// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector unit's functions by the names task programs and machines give
// them.
#ifndef DRAWLOOM_LIB_SIM_VECTORFUNCTIONS_H
#define DRAWLOOM_LIB_SIM_VECTORFUNCTIONS_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Sim/Numbers/Integer.h"
#include "drawloom/Sim/Numbers/Vector.h"
#include "drawloom/Sim/Numbers/VectorReduction.h"

namespace drawloom::sim {

/// Of one tile, or of two (or a tile and a number).
using UnaryFunction =
    std::variant<VectorUnary, VectorConversion, VectorReduction>;
using BinaryFunction = std::variant<VectorBinary, VectorInteger>;

/// The function `task.sfpu` calls `name` without a scalar, if there is one.
std::optional<UnaryFunction> unaryFunction(llvm::StringRef name);
/// What `task.sfpu_binary` calls `name`; the operations of floats with a scalar
/// have the same names.
std::optional<BinaryFunction> binaryFunction(llvm::StringRef name);

/// Cycles of a tile through function `name`; machines may state another number
/// for the form with a scalar, and one for all comparisons.
std::optional<double> vectorCycles(const MachineModel &model,
                                   llvm::StringRef name, bool scalar,
                                   bool dst32);

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_VECTORFUNCTIONS_H
