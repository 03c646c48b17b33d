// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a tile of Dst combined in the vector unit, with all their 32 bits.

#ifndef DRAWLOOM_SIM_NUMBERS_VECTORREDUCTION_H
#define DRAWLOOM_SIM_NUMBERS_VECTORREDUCTION_H

#include "drawloom/Sim/Numbers/Integer.h"
#include "drawloom/Sim/Numbers/Vector.h"
#include <variant>

namespace drawloom::sim {

/// How: by a sum, maximum or minimum; the lanes of each row, or of each column.
struct VectorReduction {
  std::variant<VectorBinary, VectorInteger> combine;
  bool ofRows;
};

/// The results are in the first column (of rows) or row. The other lanes hold
/// nothing: NaN here, for the vendor's code leaves parts of sums there.
void applyReduction(const VectorReduction &reduction, DstTile &tile,
                    DstWidth width, const NumberModel &model);

} // namespace drawloom::sim

#endif // DRAWLOOM_SIM_NUMBERS_VECTORREDUCTION_H
