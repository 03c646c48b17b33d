// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what a machine left in memory with the reference.

#include "drawloom/Sim/Interpreter/Check.h"
#include "Elements.h"
#include "TileValue.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace drawloom;

/// |device - expected|; 0 when they agree as specials, infinite when only one
/// of them is special.
static double distance(double device, double expected, double bound,
                       Type element) {
  if (std::isnan(device) || std::isnan(expected))
    return std::isnan(device) && std::isnan(expected) ? 0 : INFINITY;
  if (device == expected)
    return 0;
  if (std::isinf(device) && std::signbit(device) == std::signbit(expected) &&
      std::abs(expected) + bound >= largestFinite(element))
    return 0;
  return std::abs(device - expected);
}

CheckResult drawloom::check(const Reference &reference, ArrayMemory device) {
  CheckResult result;
  tile::ArrayOp array = reference.array;
  auto type = cast<MemRefType>(array.getView().getType());
  Type element = type.getElementType();
  auto [strides, offset] = type.getStridesAndOffset();
  double worst = -1;
  SmallVector<int64_t> at(type.getRank(), 0);
  for (size_t i = 0; i < reference.value.size(); ++i) {
    int64_t address = offset, rest = i;
    for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
      at[axis] = rest % type.getDimSize(axis);
      rest /= type.getDimSize(axis);
      address += at[axis] * strides[axis];
    }
    if (!reference.written[i])
      continue;
    ++result.compared;
    double got;
    readElements(element, device.base, address, 1, 1, &got);
    double bound = reference.bound[i], expected = reference.value[i];
    double error = distance(got, expected, bound, element);
    // Even the largest error is the policy's, as far as its bound reaches.
    if (!(error <= result.maxError)) {
      result.maxError = error;
      result.explained = std::min(error, std::isnan(bound) ? 0 : bound);
    }
    // Even an infinite bound does not allow a NaN; one that is not a number
    // allows nothing.
    bool beyond = error != 0 && (!(error <= bound) || std::isnan(got) ||
                                 std::isnan(expected));
    result.beyond += beyond;
    double ratio = error == 0 ? 0 : bound > 0 ? error / bound : INFINITY;
    if (!(ratio <= worst)) {
      worst = ratio;
      result.subscripts = at;
      result.device = got, result.expected = expected, result.bound = bound;
    }
  }
  return result;
}

std::string drawloom::describe(const Reference &reference,
                               const CheckResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  tile::ArrayOp array = reference.array;
  os << array.getName() << "[";
  llvm::interleaveComma(result.subscripts, os);
  os << "] = " << llvm::format("%.6g", result.device) << ", expected "
     << llvm::format("%.6g", result.expected) << " within "
     << llvm::format("%.3g", result.bound) << "; " << result.beyond << " of "
     << result.compared << " elements are beyond their bound, largest error "
     << llvm::format("%.3g", result.maxError) << ", of which the policy explains "
     << llvm::format("%.3g", result.explained);
  return text;
}
