// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of linalg and tensor on tiles.

#include "TensorOps.h"
#include "Elementwise.h"
#include "Matmul.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace drawloom {

//===-- Products
//--------------------------------------------------------------//

static std::vector<double> magnitudes(const TileValue &tile, bool withError) {
  std::vector<double> result(tile.size());
  for (int64_t i = 0; i < tile.size(); ++i)
    result[i] = std::abs(tile.value[i]) + (withError ? tile.errorAt(i) : 0);
  return result;
}

/// The largest magnitude along an axis of a matrix, the operand's error
/// included: of each row for axis 1, of each column for axis 0.
static std::vector<double> largestAlong(const TileValue &matrix, int axis) {
  int64_t rows = matrix.shape[0], columns = matrix.shape[1];
  std::vector<double> largest(axis == 1 ? rows : columns, 0);
  for (int64_t i = 0; i < matrix.size(); ++i) {
    double &here = largest[axis == 1 ? i / columns : i % columns];
    here = std::max(here, std::abs(matrix.value[i]) + matrix.errorAt(i));
  }
  return largest;
}

/// What a product in parts leaves out of each element of its result: for each
/// product of two elements a share of the largest that they could be.
static void addLeftOut(const TileValue &lhs, const TileValue &rhs,
                       TileValue &result, const ExactParts &parts) {
  int64_t m = lhs.shape[0], k = lhs.shape[1], n = rhs.shape[1];
  std::vector<double> left = largestAlong(lhs, 1), right = largestAlong(rhs, 0);
  std::vector<double> &error = result.errors();
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      error[i * n + j] += k * parts.leftOut * left[i] * right[j];
}

/// The error of a product: what the operands bring along, then the unit's own,
/// relative to the sum of magnitudes and, a step at a time, to Dst.
static void addProductError(const TileValue &lhs, const TileValue &rhs,
                            const TileValue &init, TileValue &result,
                            const Policy &policy) {
  int64_t m = lhs.shape[0], k = lhs.shape[1], n = rhs.shape[1];
  // Parts are multiplied and aligned without loss; each product of them is one
  // that adds to Dst, by its first pass alone.
  bool inParts = policy.takesParts(lhs.element) || policy.takesParts(rhs.element);
  double perProduct =
      inParts ? 0
              : policy.productOf(lhs.element, rhs.element) + policy.alignment;
  double steps = inParts ? policy.parts->products.size() * policy.stepsPerPass
                         : policy.stepsPerProduct;
  double perMagnitude = policy.accumulate * steps * k;
  bool exact = lhs.exact() && rhs.exact();
  if (exact && init.exact() && perProduct + perMagnitude == 0)
    return;
  auto multiply = [&](bool withError) {
    std::vector<double> sum(m * n);
    multiplyAdd(magnitudes(lhs, withError).data(),
                magnitudes(rhs, withError).data(), sum.data(), m, n, k);
    return sum;
  };
  std::vector<double> magnitude = multiply(false);
  std::vector<double> reach = exact ? magnitude : multiply(true);
  std::vector<double> &error = result.errors();
  for (int64_t i = 0; i < m * n; ++i) {
    // |x'y' - xy| <= (|x| + ex)(|y| + ey) - |x||y|, summed.
    error[i] =
        init.errorAt(i) + (exact ? 0 : std::max(0.0, reach[i] - magnitude[i])) +
        perProduct * reach[i] +
        perMagnitude * (reach[i] + std::abs(init.value[i]) + init.errorAt(i)) +
        policy.flush;
  }
  if (inParts)
    addLeftOut(lhs, rhs, result, *policy.parts);
}

static TileValue product(const TileValue &lhs, const TileValue &rhs,
                         const TileValue &init, const Policy &policy) {
  TileValue result = init;
  multiplyAdd(lhs.value.data(), rhs.value.data(), result.value.data(),
              lhs.shape[0], rhs.shape[1], lhs.shape[1]);
  addProductError(lhs, rhs, init, result, policy);
  return result;
}

static std::optional<TileValue>
matmul(linalg::MatmulOp op, ArrayRef<TileRef> operands, const Policy &policy) {
  if (op.hasUserDefinedMaps())
    return std::nullopt;
  return product(*operands[0], *operands[1], *operands[2], policy);
}

/// One matrix of a batch.
static TileValue matrixOf(const TileValue &batch, int64_t number) {
  TileValue matrix(batch.element, ArrayRef(batch.shape).drop_front());
  std::copy_n(batch.value.begin() + number * matrix.size(), matrix.size(),
              matrix.value.begin());
  if (!batch.exact())
    std::copy_n(batch.error.begin() + number * matrix.size(), matrix.size(),
                matrix.errors().begin());
  return matrix;
}

static std::optional<TileValue> batchMatmul(linalg::BatchMatmulOp op,
                                            ArrayRef<TileRef> operands,
                                            const Policy &policy) {
  if (op.hasUserDefinedMaps())
    return std::nullopt;
  TileValue result(operands[2]->element, operands[2]->shape);
  for (int64_t number = 0; number < result.shape[0]; ++number) {
    TileValue matrix =
        product(matrixOf(*operands[0], number), matrixOf(*operands[1], number),
                matrixOf(*operands[2], number), policy);
    llvm::copy(matrix.value, result.value.begin() + number * matrix.size());
    if (!matrix.exact())
      llvm::copy(matrix.error,
                 result.errors().begin() + number * matrix.size());
  }
  return result;
}

//===-- Rearrangements
//--------------------------------------------------------//

/// The tile of `type` whose neighbours along its axes lie `steps` elements
/// apart in `input`, from its element `first` on.
static TileValue strided(const TileValue &input, Type type,
                         ArrayRef<int64_t> steps, int64_t first = 0) {
  TileValue result(type);
  if (!input.exact())
    result.errors();
  SmallVector<int64_t> at(steps.size(), 0);
  for (int64_t i = 0, from = first; i < result.size(); ++i) {
    result.value[i] = input.value[from];
    if (!input.exact())
      result.error[i] = input.error[from];
    for (int64_t axis = at.size() - 1; axis >= 0; --axis) {
      from += steps[axis];
      if (++at[axis] < result.shape[axis])
        break;
      from -= steps[axis] * at[axis];
      at[axis] = 0;
    }
  }
  return result;
}

static TileValue broadcast(linalg::BroadcastOp op, const TileValue &input) {
  auto strides = rowMajorStrides(input.shape);
  unsigned rank = input.shape.size() + op.getDimensions().size();
  SmallVector<int64_t> steps(rank, 0);
  for (unsigned axis = 0, next = 0; axis < rank; ++axis)
    if (!llvm::is_contained(op.getDimensions(), axis))
      steps[axis] = strides[next++];
  return strided(input, op->getResult(0).getType(), steps);
}

static TileValue transpose(linalg::TransposeOp op, const TileValue &input) {
  auto strides = rowMajorStrides(input.shape);
  SmallVector<int64_t> steps;
  for (int64_t axis : op.getPermutation())
    steps.push_back(strides[axis]);
  return strided(input, op->getResult(0).getType(), steps);
}

static TileValue slice(tensor::ExtractSliceOp op, const TileValue &input) {
  auto strides = rowMajorStrides(input.shape);
  int64_t first = 0;
  for (auto [offset, stride] : llvm::zip_equal(op.getStaticOffsets(), strides))
    first += offset * stride;
  return strided(input, op.getType(), strides, first);
}

static TileValue filled(Type type, const TileValue &scalar) {
  TileValue result(type, scalar.value[0]);
  if (!scalar.exact())
    result.error.assign(result.size(), scalar.error[0]);
  return result;
}

static TileValue reshaped(Type type, const TileValue &input) {
  TileValue result = input;
  result.shape = SmallVector<int64_t>(TileValue::shapeOf(type));
  return result;
}

std::optional<TileValue> tensorOp(Operation *op, ArrayRef<TileRef> operands,
                                  const Policy &policy) {
  using Result = std::optional<TileValue>;
  if (op->getNumResults() != 1)
    return std::nullopt;
  Type type = op->getResult(0).getType();
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](linalg::MatmulOp product) {
        return matmul(product, operands, policy);
      })
      .Case([&](linalg::BatchMatmulOp product) {
        return batchMatmul(product, operands, policy);
      })
      .Case([&](linalg::BroadcastOp op) { return broadcast(op, *operands[0]); })
      .Case([&](linalg::TransposeOp op) { return transpose(op, *operands[0]); })
      .Case([&](tensor::ExtractSliceOp op) { return slice(op, *operands[0]); })
      .Case<linalg::FillOp, tensor::SplatOp>(
          [&](auto) { return filled(type, *operands[0]); })
      .Case([&](tensor::EmptyOp) { return undefinedTile(type); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto) { return reshaped(type, *operands[0]); })
      .Default(Result());
}

} // namespace drawloom
