// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of arrays that a launch does not bring, or not all of.

#ifndef DRAWLOOM_DRIVER_MEMORY_H
#define DRAWLOOM_DRIVER_MEMORY_H

#include "drawloom/Import/Launch.h"
#include "drawloom/Tile/Tile.h"
#include "mlir/IR/BuiltinOps.h"
#include <cstddef>
#include <map>
#include <vector>

namespace drawloom {

/// Memory for each argument of a launch, with values from a seed: standard
/// normal floats, integers in [0, 16), bits.
class SeededMemory {
public:
  /// One array: its argument's index and its type in the caller's memory.
  /// Arrays over one argument share memory. Fails when the array reaches below
  /// its argument's pointer or too far beyond it to be made here.
  mlir::LogicalResult add(int64_t argument, mlir::MemRefType type, uint64_t seed);
  /// One pointer per argument index; null where no array was added.
  const std::vector<std::byte *> &pointers() const { return starts; }

private:
  std::map<int64_t, std::vector<std::byte>> storage; ///< by argument
  std::vector<std::byte *> starts;
};

/// The objects of a launch that end before what indices from memory may reach:
/// copies, with bytes of ones behind their end.
class ShortObjects {
public:
  /// Lets the module's arrays in such objects, which are only loaded, lie in
  /// copies: changes their pointers in `memory`, one for each argument.
  void extend(mlir::ModuleOp module, const Launch &launch, std::vector<std::byte *> &memory);

private:
  std::vector<std::vector<std::byte>> copies;
};

} // namespace drawloom

#endif // DRAWLOOM_DRIVER_MEMORY_H
