// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays between the caller's memory and pages of device memory.
#ifndef DRAWLOOM_LIB_SIM_HOSTARRAYS_H
#define DRAWLOOM_LIB_SIM_HOSTARRAYS_H

#include "Bytecode.h"

namespace drawloom::sim {

/// What memory holds before anything is written to it: a NaN in every float
/// format.
inline constexpr std::byte kPoison{0xff};

/// The pages of `array`, one after another, from the caller's `argument`.
/// Lanes of a page beyond the array stay poisoned.
std::vector<std::byte> uploadArray(const ArrayInfo &array,
                                   const std::byte *argument);

/// Writes the array's elements back, and only those.
void downloadArray(const ArrayInfo &array, const std::vector<std::byte> &pages,
                   std::byte *argument);

/// Bytes of the array's elements, which each of the two converts; 0 when the
/// pages keep the caller's order, so that it is a plain copy.
int64_t convertedBytes(const ArrayInfo &array);

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_HOSTARRAYS_H
