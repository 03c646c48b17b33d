// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays behind a kernel's flat addresses.

#ifndef DRAWLOOM_IMPORT_TRITON_ARRAYS_H
#define DRAWLOOM_IMPORT_TRITON_ARRAYS_H

#include "Access.h"
#include "Linear.h"
#include <set>

namespace drawloom::tt {

/// An access with the grid known: lane l touches element subscripts(l) of an
/// array where every guard is at least zero.
struct ArrayAccess {
  const Access *access;
  Linear address;
  /// Bounds that can fail, to be printed.
  std::vector<Linear> guards;
  /// Everything known to hold where the access touches memory.
  std::vector<Linear> facts;
  llvm::SmallVector<int64_t> extents;
  unsigned array;
  std::vector<Linear> subscripts;
};

/// What accesses reach of one argument, as a strided array. `offset` and
/// `strides` are in elements from the argument's pointer.
struct Array {
  unsigned argument;
  mlir::Type element;
  int64_t offset;
  llvm::SmallVector<int64_t> shape, strides;
  bool read = false, written = false;
  /// Whether the program writes every element of the shape.
  bool covered = false;
};

struct Arrays {
  std::vector<ArrayAccess> accesses;
  std::vector<Array> arrays;
};

/// An access over the box of programs, all but `array` and `subscripts`. What
/// the kernel guards and what it implies elsewhere are facts.
ArrayAccess overGrid(const Kernel &kernel, const Linearizer &linearize,
                     const Access &access);

/// Recovers arrays and subscripts from addresses, checks them against the
/// objects of the launch and against each other. Fails with errors.
mlir::FailureOr<Arrays> recoverArrays(const Kernel &kernel,
                                      llvm::ArrayRef<Access> accesses,
                                      const Linearizer &linearize);

/// Dimensions of the array behind one argument's accesses: strides, greatest
/// first, and each access's subscripts. The subscripts times the strides add up
/// to the address exactly. Programs and loops that step by a stride in `joined`
/// walk a dimension of a smaller one; with `stepsByMasks`, lanes of which masks
/// compare a multiple do too.
llvm::SmallVector<int64_t>
splitAddresses(llvm::MutableArrayRef<ArrayAccess *> accesses,
               unsigned symbolStart, unsigned laneStart,
               const std::set<int64_t> &joined, bool stepsByMasks);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_ARRAYS_H
