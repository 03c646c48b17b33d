// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of arrays that a launch does not bring, or not all of.

#include "drawloom/Driver/Memory.h"

#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <optional>
#include <random>

using namespace mlir;

namespace drawloom {
namespace {

/// Bytes that one argument's seeded memory may take.
constexpr int64_t kMostBytes = int64_t(1) << 32;

/// Bytes from the argument's pointer to the end of the last element the array
/// reaches; none when it also reaches below the pointer, or too far.
std::optional<int64_t> reach(MemRefType type, int64_t elementBytes) {
  int64_t first;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, first)))
    return std::nullopt;
  int64_t last = first;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides)) {
    int64_t span;
    if (size == 0)
      return 0;
    if (llvm::MulOverflow(size - 1, stride, span) ||
        llvm::AddOverflow(span < 0 ? first : last, span, span < 0 ? first : last))
      return std::nullopt;
  }
  if (first < 0 || last >= kMostBytes / elementBytes)
    return std::nullopt;
  return (last + 1) * elementBytes;
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

LogicalResult SeededMemory::add(int64_t argument, MemRefType type, uint64_t seed) {
  Type element = type.getElementType();
  int64_t elementBytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  std::optional<int64_t> bytes = reach(type, elementBytes);
  if (!bytes)
    return failure();
  std::vector<std::byte> &memory = storage[argument];
  if (static_cast<size_t>(*bytes) > memory.size())
    memory.resize(*bytes);
  std::seed_seq sequence{seed, static_cast<uint64_t>(argument)};
  std::mt19937_64 random(sequence);
  std::normal_distribution<float> normal;
  for (size_t at = 0; at + elementBytes <= memory.size(); at += elementBytes) {
    std::byte *to = memory.data() + at;
    if (element.isBF16() || element.isF32()) {
      putFloat(to, normal(random), element.isBF16());
    } else {
      uint64_t value = random() % (element.isInteger(1) ? 2 : 16);
      std::memcpy(to, &value, elementBytes);
    }
  }
  if (starts.size() <= static_cast<size_t>(argument))
    starts.resize(argument + 1);
  starts[argument] = memory.data();
  return success();
}

void ShortObjects::extend(ModuleOp module, const Launch &launch, std::vector<std::byte *> &memory) {
  module.walk([&](tile::ArrayOp array) {
    size_t argument = array.getArgument();
    if (argument >= memory.size())
      return;
    auto *object = std::get_if<PointerArgument>(&launch.arguments[argument].value);
    auto type = cast<MemRefType>(array.getView().getType());
    auto bytes = reach(type, llvm::divideCeil(type.getElementTypeBitWidth(), 8));
    if (!object || object->high == 0 || !bytes || *bytes <= int64_t(object->high - object->address))
      return;
    std::byte *&pointer = memory[argument];
    std::vector<std::byte> copy(*bytes, std::byte{0xFF});
    std::memcpy(copy.data(), pointer, object->high - object->address);
    copies.push_back(std::move(copy));
    pointer = copies.back().data();
  });
}

} // namespace drawloom
