// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vocabulary every room shares: number formats, fidelities, engines, and
// the kinds of cost, limit and tile operation a machine can state.
#ifndef DRAWLOOM_MACHINE_FORMATS_H
#define DRAWLOOM_MACHINE_FORMATS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>

// Enums `drawloom::{Format, Fidelity, Engine, TileOp, Cost, Limit, ...}` with
// `stringify<Enum>(value)` and `symbolize<Enum>(text)`, from Machine.td.
#include "drawloom/Machine/MachineEnums.h.inc"

namespace drawloom {

/// Rows and columns of a tile, and of the faces it is stored in.
constexpr int64_t kTileSide = 32;
constexpr int64_t kFaceSide = 16;
constexpr int64_t kTileElements = kTileSide * kTileSide;

/// Bytes of one 32x32 tile in memory, block exponents included.
int64_t tileBytes(Format format);

/// Bytes of one element, or nothing for formats that share exponents.
std::optional<int64_t> elementBytes(Format format);

/// Whether Dst holds this format in 32-bit slots.
bool is32Bit(Format format);

/// Passes of the matrix unit over its operands' mantissas: 1 to 4.
int phases(Fidelity fidelity);

} // namespace drawloom

#endif // DRAWLOOM_MACHINE_FORMATS_H
