// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements as they lie in the caller's memory.

#include "Elements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include <bit>
#include <cmath>
#include <cstring>

using namespace mlir;

namespace drawloom {

namespace {
struct BFloat16 {
  uint16_t bits;
  operator double() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
};
struct Float16 {
  uint16_t bits;
  operator double() const {
    return llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits))
        .convertToDouble();
  }
};
struct Truth {
  uint8_t byte;
  operator double() const { return byte != 0; }
};
} // namespace

template <typename T>
static void read(const std::byte *base, int64_t offset, int64_t stride,
                 int64_t count, double *to) {
  const std::byte *from = base + offset * static_cast<int64_t>(sizeof(T));
  for (int64_t i = 0; i < count;
       ++i, from += stride * static_cast<int64_t>(sizeof(T))) {
    T element; // the caller's arrays may be unaligned
    std::memcpy(&element, from, sizeof(T));
    to[i] = static_cast<double>(element);
  }
}

bool isReadable(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return element.isBF16() || element.isF16() || element.isF32() ||
         element.isF64();
}

void readElements(Type element, const std::byte *base, int64_t offset,
                  int64_t stride, int64_t count, double *to) {
  if (element.isBF16())
    return read<BFloat16>(base, offset, stride, count, to);
  if (element.isF16())
    return read<Float16>(base, offset, stride, count, to);
  if (element.isF32())
    return read<float>(base, offset, stride, count, to);
  if (element.isF64())
    return read<double>(base, offset, stride, count, to);
  switch (element.getIntOrFloatBitWidth()) {
  case 1:
    return read<Truth>(base, offset, stride, count, to);
  case 8:
    return read<int8_t>(base, offset, stride, count, to);
  case 16:
    return read<int16_t>(base, offset, stride, count, to);
  case 32:
    return read<int32_t>(base, offset, stride, count, to);
  default:
    return read<int64_t>(base, offset, stride, count, to);
  }
}

double largestFinite(Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return HUGE_VAL;
  auto largest = llvm::APFloat::getLargest(type.getFloatSemantics());
  bool lost;
  largest.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &lost);
  return largest.convertToDouble();
}

} // namespace drawloom
