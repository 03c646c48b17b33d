// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of the number formats, and the shared enums' names.
#include "drawloom/Machine/Formats.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include "drawloom/Machine/MachineEnums.cpp.inc"

namespace drawloom {

std::optional<int64_t> elementBytes(Format format) {
  switch (format) {
  case Format::I64:
    return 8;
  case Format::FP32:
  case Format::TF32:
  case Format::I32:
  case Format::U32:
    return 4;
  case Format::BF16:
  case Format::FP16:
  case Format::U16:
    return 2;
  case Format::I8:
  case Format::U8:
    return 1;
  case Format::BFP8:
  case Format::BFP4:
    return std::nullopt;
  }
  llvm_unreachable("all formats are listed");
}

int64_t tileBytes(Format format) {
  // Block formats: an exponent byte for each 16 elements.
  constexpr int64_t exponents = kTileElements / kFaceSide;
  if (format == Format::BFP8)
    return kTileElements + exponents;
  if (format == Format::BFP4)
    return kTileElements / 2 + exponents;
  return kTileElements * *elementBytes(format);
}

bool is32Bit(Format format) { return elementBytes(format) == 4; }

int phases(Fidelity fidelity) { return static_cast<int>(fidelity) + 1; }

} // namespace drawloom
