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

/// The error of a product: what the operands bring along, then the unit's own,
/// relative to the sum of magnitudes and, a step at a time, to Dst.
static void addProductError(const TileValue &lhs, const TileValue &rhs,
                            const TileValue &init, TileValue &result,
                            const Policy &policy) {
  int64_t m = lhs.shape[0], k = lhs.shape[1], n = rhs.shape[1];
  double perProduct =
      policy.productOf(lhs.element, rhs.element) + policy.alignment;
  double perMagnitude = policy.accumulate * policy.stepsPerProduct * k;
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
}

static std::optional<TileValue>
matmul(linalg::MatmulOp op, ArrayRef<TileRef> operands, const Policy &policy) {
  if (op.hasUserDefinedMaps())
    return std::nullopt;
  const TileValue &lhs = *operands[0], &rhs = *operands[1];
  TileValue result = *operands[2];
  multiplyAdd(lhs.value.data(), rhs.value.data(), result.value.data(),
              lhs.shape[0], rhs.shape[1], lhs.shape[1]);
  addProductError(lhs, rhs, *operands[2], result, policy);
  return result;
}

//===-- Reductions
//------------------------------------------------------------//

/// A sum may be taken by the matrix unit as a product with ones.
static Approx sumOperand(Approx x, double perElement) {
  if (std::isfinite(x.value))
    x.error += perElement * (std::abs(x.value) + x.error);
  return x;
}

static std::optional<TileValue>
reduce(linalg::ReduceOp op, ArrayRef<TileRef> operands, const Policy &policy) {
  Block &body = op.getCombiner().front();
  if (operands.size() != 2 || body.getOperations().size() != 2 ||
      body.getTerminator()->getOperand(0) != body.front().getResult(0))
    return std::nullopt;
  Combiner combine = combinerOf(&body.front());
  if (!combine)
    return std::nullopt;
  const TileValue &input = *operands[0];
  TileValue result = *operands[1];
  std::vector<double> error(result.size());
  for (int64_t i = 0; i < result.size(); ++i)
    error[i] = result.errorAt(i);

  // Distances in the result of steps along the input's axes: none along a
  // reduced one.
  SmallVector<int64_t> step(input.shape.size(), 0);
  auto kept = rowMajorStrides(result.shape);
  int64_t length = 1;
  for (unsigned axis = 0, next = 0; axis < step.size(); ++axis)
    if (llvm::is_contained(op.getDimensions(), axis))
      length *= input.shape[axis];
    else
      step[axis] = kept[next++];
  double rounding = policy.rounding(input.element);
  bool isSum = isa<FloatType>(input.element);
  double perElement =
      isSum ? policy.operandCut(input.element) +
                  policy.productOf(input.element, input.element) +
                  policy.alignment +
                  policy.accumulate * policy.stepsPerProduct * length + rounding
            : 0;

  SmallVector<int64_t> at(input.shape.size(), 0);
  for (int64_t i = 0, to = 0; i < input.size(); ++i) {
    Approx sum =
        combine({result.value[to], error[to]},
                sumOperand({input.value[i], input.errorAt(i)}, perElement));
    result.value[to] = sum.value, error[to] = sum.error;
    for (int64_t axis = at.size() - 1; axis >= 0; --axis) {
      to += step[axis];
      if (++at[axis] < input.shape[axis])
        break;
      to -= step[axis] * at[axis];
      at[axis] = 0;
    }
  }
  if (llvm::any_of(error, [](double e) { return e != 0; }))
    result.error = std::move(error);
  return result;
}

//===-- Rearrangements
//--------------------------------------------------------//

/// The tile of `type` whose neighbours along its axes lie `steps` elements
/// apart in `input`.
static TileValue strided(const TileValue &input, Type type,
                         ArrayRef<int64_t> steps) {
  TileValue result(type);
  if (!input.exact())
    result.errors();
  SmallVector<int64_t> at(steps.size(), 0);
  for (int64_t i = 0, from = 0; i < result.size(); ++i) {
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
      .Case([&](linalg::ReduceOp reduction) {
        return reduce(reduction, operands, policy);
      })
      .Case([&](linalg::BroadcastOp op) { return broadcast(op, *operands[0]); })
      .Case([&](linalg::TransposeOp op) { return transpose(op, *operands[0]); })
      .Case<linalg::FillOp, tensor::SplatOp>(
          [&](auto) { return filled(type, *operands[0]); })
      .Case([&](tensor::EmptyOp) { return undefinedTile(type); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto) { return reshaped(type, *operands[0]); })
      .Default(Result());
}

} // namespace drawloom
