// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs `tile` programs in fp64: the definition of right answers.

#ifndef DRAWLOOM_SIM_INTERPRETER_INTERPRET_H
#define DRAWLOOM_SIM_INTERPRETER_INTERPRET_H

#include "drawloom/Sim/Interpreter/Policy.h"
#include "drawloom/Tile/Tile.h"
#include <cstddef>
#include <vector>

namespace drawloom {

/// Where an argument of the launch lies in the caller's memory. Element
/// (s0, s1, ...) of a `tile.array` over it lies at
/// `base + (offset + sum of stride * s) * bytes of an element`; i1 takes a
/// byte.
struct ArrayMemory {
  const std::byte *base = nullptr;
};

struct InterpretOptions {
  Policy policy;
  unsigned threads = 2;
};

/// What one `tile.array` must hold after the program: per element, row-major
/// over the array's shape.
struct Reference {
  tile::ArrayOp array;
  /// The exact value, given the inputs as stored; unchanged memory if
  /// unwritten.
  std::vector<double> value;
  /// How far a correct machine may be from it, by the policy.
  std::vector<double> bound;
  /// Whether the program wrote the element.
  std::vector<uint8_t> written;
};

/// Runs `program`, which must satisfy `verifyLogical`. `arrays` has one entry
/// per `tile.array`, in order; it is only read: stores go to the references,
/// one per array with role out or inout, and later grids read them from there.
/// Lanes that no load defines are NaN. Refuses, at the operation: operations
/// it does not know, subscripts outside an array, and grid points that touch
/// the same element when one of them writes it.
mlir::FailureOr<std::vector<Reference>>
interpret(tile::ProgramOp program, llvm::ArrayRef<ArrayMemory> arrays,
          const InterpretOptions &options = {});

/// Stores what the program wrote into the caller's memory, each value rounded
/// to its array's element type (to nearest even).
void writeBack(const Reference &reference, std::byte *base);

} // namespace drawloom

#endif // DRAWLOOM_SIM_INTERPRETER_INTERPRET_H
