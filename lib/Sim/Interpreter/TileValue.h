// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile or scalar of the interpreter: exact values and error bounds.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_TILEVALUE_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_TILEVALUE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace drawloom {

/// Row-major over `shape`; a scalar has rank 0. Integers are held signed, but
/// i1 as 0 or 1. A truth value of error 1 is one that the errors of its
/// operands leave open. An empty `error` means exact.
struct TileValue {
  mlir::Type element;
  llvm::SmallVector<int64_t> shape;
  std::vector<double> value;
  std::vector<double> error;

  TileValue(mlir::Type element, llvm::ArrayRef<int64_t> shape, double fill = 0)
      : element(element), shape(shape),
        value(mlir::ShapedType::getNumElements(shape), fill) {}

  /// A tile shaped like the type, which is a tensor or a scalar.
  explicit TileValue(mlir::Type type, double fill = 0)
      : TileValue(mlir::getElementTypeOrSelf(type), shapeOf(type), fill) {}

  int64_t size() const { return value.size(); }
  bool exact() const { return error.empty(); }
  double errorAt(int64_t i) const { return error.empty() ? 0 : error[i]; }
  /// Makes room for errors, zero where there were none.
  std::vector<double> &errors() {
    error.resize(value.size());
    return error;
  }

  static llvm::ArrayRef<int64_t> shapeOf(mlir::Type type) {
    if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type))
      return shaped.getShape();
    return {};
  }
};

/// An element of integers. 2^63, which the largest of 64 bits round to, has no
/// int64_t.
inline int64_t integerOf(double value) {
  return value >= 0x1p63 ? INT64_MAX : static_cast<int64_t>(value);
}

using TileRef = std::shared_ptr<const TileValue>;

/// The shape of the operand with the most elements.
inline llvm::ArrayRef<int64_t> largestShape(llvm::ArrayRef<TileRef> operands) {
  llvm::ArrayRef<int64_t> shape = operands.front()->shape;
  int64_t size = operands.front()->size();
  for (const TileRef &operand : operands.drop_front())
    if (operand->size() > size ||
        (operand->size() == size && operand->shape.size() > shape.size()))
      shape = operand->shape, size = operand->size();
  return shape;
}

/// A tile of lanes that nothing defines: NaN, or an integer that may be any.
inline TileValue undefinedTile(mlir::Type type) {
  bool isFloat = llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
  TileValue result(type, isFloat ? NAN : 0);
  if (!isFloat)
    result.error.assign(result.size(), INFINITY);
  return result;
}

/// The distance in elements between neighbours along each axis.
inline llvm::SmallVector<int64_t>
rowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t axis = static_cast<int64_t>(shape.size()) - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * shape[axis + 1];
  return strides;
}

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_TILEVALUE_H
