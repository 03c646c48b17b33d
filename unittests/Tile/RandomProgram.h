// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random legal logical programs, for comparing one judge with another.

#ifndef DRAWLOOM_UNITTESTS_TILE_RANDOMPROGRAM_H
#define DRAWLOOM_UNITTESTS_TILE_RANDOMPROGRAM_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>
#include <vector>

namespace drawloom {

/// An array of a random program.
struct RandomArray {
  std::string name;
  bool isOut;
  bool isF32; ///< else bf16
  llvm::SmallVector<int64_t> shape;

  int64_t elements() const {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    return count;
  }
};

/// A program as text, with its arrays in the order of the launch.
struct RandomProgram {
  std::string text;
  std::vector<RandomArray> arrays;
};

/// What a random program may contain.
struct RandomOptions {
  int64_t largestExtent = 150;
  bool matmul = true;
  bool reductions = true;
  bool f32Arrays = true;
};

/// The program of a seed: a product of ragged matrices with a chain on the
/// result, or a chain on ragged tiles, possibly normalised along rows. Shapes,
/// blocks, padding and operations follow from the seed alone, and every
/// program satisfies `verifyLogical`. Inputs of magnitude about 1 keep every
/// function inside its domain.
RandomProgram randomProgram(uint64_t seed, const RandomOptions &options = {});

} // namespace drawloom

#endif // DRAWLOOM_UNITTESTS_TILE_RANDOMPROGRAM_H
