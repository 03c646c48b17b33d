// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small functions that an emitted kernel defines for itself when it needs them.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_HELPERS_H
#define DRAWLOOM_LIB_TARGET_METALIUM_HELPERS_H

#include "drawloom/Task/Task.h"
#include <set>

namespace drawloom::metalium {

/// In the order in which a source defines them: each uses only earlier ones.
enum class Helper {
  FloorDivide,
  CeilDivide,
  Modulo,
  Smaller,
  Larger,
  WriteSlot,
  ReadSlot,
  ReadPart,
  WritePart,
  LaneIndex,
  FillOutside,
  FillAfter,
  FloatBits,
  NumberIntegers,
  NumberFloats,
  CountIntegers,
  CountFloats,
  CopyWords,
  CopyRuns,
  Place,
  Lift,
  Peek,
  PeekTile,
  Counter,
  Core,
  Signal,
  Rectangle,
  Holds,
  Multicast,
  Publish,
};

using HelperSet = std::set<Helper>;

HelperSet allHelpers();

/// The name by which kernels call it.
llvm::StringRef nameOf(Helper helper);

/// Where a kernel finds its common runtime arguments: the arrays' addresses,
/// then the network's x of each column, then its y of each row of cores.
struct CommonArguments {
  int64_t arrays, columns, rows;
};

/// Adds the helpers that those in `helpers` use.
void close(HelperSet &helpers);

/// Prints the definitions; `network` is that of the kernel.
void printHelpers(llvm::raw_ostream &os, const HelperSet &helpers,
                  const CommonArguments &arguments, int64_t network);

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_HELPERS_H
