// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a program as they are at one moment, without their strides.

#include "drawloom/Driver/Snapshot.h"

#include <cstring>

using namespace mlir;

namespace drawloom {
namespace {

/// Copies the elements of dimension `dim` on, one after the other.
void copyDimension(MemRefType type, ArrayRef<int64_t> strides, unsigned dim, int64_t elementBytes,
                   const std::byte *from, std::byte *&to) {
  if (dim == strides.size()) {
    std::memcpy(to, from, elementBytes);
    to += elementBytes;
    return;
  }
  if (dim + 1 == strides.size() && strides[dim] == 1) {
    int64_t bytes = type.getDimSize(dim) * elementBytes;
    std::memcpy(to, from, bytes);
    to += bytes;
    return;
  }
  for (int64_t i = 0; i < type.getDimSize(dim); ++i)
    copyDimension(type, strides, dim + 1, elementBytes, from + i * strides[dim] * elementBytes, to);
}

std::vector<std::byte> compact(MemRefType type, const std::byte *pointer) {
  int64_t offset;
  SmallVector<int64_t> strides;
  int64_t elementBytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  std::vector<std::byte> copy;
  if (!pointer || failed(type.getStridesAndOffset(strides, offset)))
    return copy;
  copy.resize(type.getNumElements() * elementBytes);
  std::byte *to = copy.data();
  copyDimension(type, strides, 0, elementBytes, pointer + offset * elementBytes, to);
  return copy;
}

} // namespace

std::vector<std::vector<std::byte>> snapshot(task::ProgramOp program,
                                             ArrayRef<std::byte *> pointers) {
  std::vector<std::vector<std::byte>> copies;
  for (auto [array, pointer] : llvm::zip(program.getBody().getOps<task::ArrayOp>(), pointers))
    copies.push_back(compact(array.getViewType(), pointer));
  return copies;
}

} // namespace drawloom
