// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays for launches that bring none of their own.

#include "drawloom/Driver/Memory.h"

#include <cstring>
#include <random>

using namespace mlir;

namespace drawloom {
namespace {

/// Elements from the argument's pointer to the last one the array reaches.
int64_t reach(MemRefType type) {
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return 0;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    offset += (size - 1) * stride;
  return offset + 1;
}

void putFloat(std::byte *to, float value, bool half) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (!half) {
    std::memcpy(to, &bits, 4);
    return;
  }
  // Round to nearest even, as numpy's bfloat16 does.
  uint16_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  std::memcpy(to, &rounded, 2);
}

} // namespace

void SeededMemory::add(int64_t argument, MemRefType type, uint64_t seed) {
  std::seed_seq sequence{seed, static_cast<uint64_t>(argument)};
  std::mt19937_64 random(sequence);
  std::normal_distribution<float> normal;
  Type element = type.getElementType();
  int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8), count = reach(type);
  std::vector<std::byte> memory(count * bytes);
  for (int64_t i = 0; i < count; ++i) {
    std::byte *to = memory.data() + i * bytes;
    if (element.isBF16() || element.isF32()) {
      putFloat(to, normal(random), element.isBF16());
    } else {
      uint64_t value = random() % 16;
      std::memcpy(to, &value, bytes);
    }
  }
  if (starts.size() <= static_cast<size_t>(argument))
    starts.resize(argument + 1);
  storage.push_back(std::move(memory));
  starts[argument] = storage.back().data();
}

} // namespace drawloom
