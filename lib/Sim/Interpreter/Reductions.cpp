// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans: operations that combine the elements along axes.

#include "Reductions.h"
#include "Constants.h"
#include "Elementwise.h"

using namespace mlir;

namespace drawloom {

namespace {
/// What the unit that sums adds to the error of an element: relative to it, and
/// the same for all.
struct SumError {
  double relative = 0, absolute = 0;
};
} // namespace

/// A sum may be taken by the matrix unit as a product with ones.
static Approx sumOperand(Approx x, SumError perElement) {
  if (std::isfinite(x.value))
    x.error += perElement.relative * (std::abs(x.value) + x.error) +
               perElement.absolute;
  return x;
}

/// The combiner of a body that is one operation; null for any other.
static Combiner plainCombiner(Block &body) {
  Operation &step = body.front();
  bool isOne = body.getOperations().size() == 2 && step.getNumOperands() == 2 &&
               step.getNumResults() == 1 &&
               llvm::all_of(step.getOperands(), llvm::IsaPred<BlockArgument>) &&
               step.getOperand(0) != step.getOperand(1) &&
               body.getTerminator()->getOperand(0) == step.getResult(0);
  return isOne ? combinerOf(&body.front()) : Combiner();
}

static double largestMagnitude(const TileValue &tile) {
  double largest = 0;
  for (int64_t i = 0; i < tile.size(); ++i)
    if (std::isfinite(tile.value[i]))
      largest = std::max(largest, std::abs(tile.value[i]) + tile.errorAt(i));
  return largest;
}

/// Of parts no digit is lost before Dst, in which their sums are added up, but
/// of what is left of an element next to the largest. The operand with more
/// parts is the coarser.
static SumError errorInParts(const TileValue &tile, int64_t length,
                             const Policy &policy) {
  const OperandParts &parts = policy.parts->right;
  double sums = policy.accumulate * policy.stepsPerPass * length +
                policy.rounding(tile.element);
  return {parts.count * sums, leftOutBy(parts) * largestMagnitude(tile)};
}

/// What the unit that sums adds to the error of each of `length` elements.
static SumError errorPerElement(const TileValue &tile, int64_t length,
                                const Policy &policy) {
  Type element = tile.element;
  if (!isa<FloatType>(element))
    return {};
  if (policy.takesParts(element))
    return errorInParts(tile, length, policy);
  double relative = policy.operandCut(element) + policy.productOf(element, element) +
         policy.alignment +
         policy.accumulate * policy.stepsPerProduct * length +
         policy.rounding(element);
  return {relative, 0};
}

static TileValue reduceOne(linalg::ReduceOp op, Combiner combine,
                           ArrayRef<TileRef> operands, const Policy &policy) {
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
  SumError perElement = errorPerElement(input, length, policy);

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

//===-- Any combiner --------------------------------------------------------//

/// The values a body of arithmetic gives for its arguments; empty when it holds
/// an operation that is not known.
static std::vector<TileRef> runBody(Block &body, ArrayRef<TileRef> arguments,
                                    const Policy &policy) {
  llvm::DenseMap<Value, TileRef> values;
  for (auto [argument, tile] : llvm::zip_equal(body.getArguments(), arguments))
    values[argument] = tile;
  auto lookup = [&](Value value) -> TileRef {
    if (TileRef known = values.lookup(value))
      return known;
    auto literal = value.getDefiningOp<arith::ConstantOp>();
    auto constant = literal ? constantOf(literal) : std::nullopt;
    return constant ? std::make_shared<const TileValue>(std::move(*constant))
                    : nullptr;
  };
  auto lookupAll = [&](ValueRange range) {
    return llvm::to_vector(llvm::map_range(range, lookup));
  };
  for (Operation &op : body.without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    SmallVector<TileRef> operands = lookupAll(op.getOperands());
    if (llvm::is_contained(operands, nullptr))
      return {};
    auto result = elementwise(&op, operands, policy);
    if (!result)
      return {};
    values[op.getResult(0)] =
        std::make_shared<const TileValue>(std::move(*result));
  }
  auto yielded = lookupAll(body.getTerminator()->getOperands());
  return {yielded.begin(), yielded.end()};
}

/// Elements of a tile that differ only along axes other than `axes`.
class Slices {
public:
  Slices(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes)
      : shape(shape), axes(axes), strides(rowMajorStrides(shape)) {
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      if (!llvm::is_contained(axes, axis))
        kept.push_back(axis);
  }

  /// How many slices there are.
  int64_t count() const {
    int64_t product = 1;
    for (int64_t axis : axes)
      product *= shape[axis];
    return product;
  }
  SmallVector<int64_t> sliceShape() const {
    return llvm::map_to_vector(kept,
                               [&](unsigned axis) { return shape[axis]; });
  }
  /// Calls `visit(i, j)`: element i of slice `number` is element j of the tile.
  template <typename F> void forEach(int64_t number, F visit) const {
    int64_t start = 0;
    for (int64_t axis : llvm::reverse(axes)) {
      start += number % shape[axis] * strides[axis];
      number /= shape[axis];
    }
    SmallVector<int64_t> at(kept.size(), 0);
    int64_t size = ShapedType::getNumElements(sliceShape());
    for (int64_t i = 0, j = start; i < size; ++i) {
      visit(i, j);
      for (int64_t k = int64_t(kept.size()) - 1; k >= 0; --k) {
        j += strides[kept[k]];
        if (++at[k] < shape[kept[k]])
          break;
        j -= strides[kept[k]] * at[k];
        at[k] = 0;
      }
    }
  }
  TileRef take(const TileValue &tile, int64_t number,
               SumError perElement) const {
    auto slice = std::make_shared<TileValue>(tile.element, sliceShape());
    forEach(number, [&](int64_t i, int64_t j) {
      Approx x = sumOperand({tile.value[j], tile.errorAt(j)}, perElement);
      slice->value[i] = x.value;
      if (x.error != 0)
        slice->errors()[i] = x.error;
    });
    return slice;
  }
  void put(const TileValue &slice, int64_t number, TileValue &tile) const {
    forEach(number, [&](int64_t i, int64_t j) {
      tile.value[j] = slice.value[i];
      if (double error = slice.errorAt(i))
        tile.errors()[j] = error;
    });
  }

private:
  ArrayRef<int64_t> shape, axes;
  SmallVector<int64_t> strides;
  SmallVector<unsigned> kept;
};

TileValues reduce(linalg::ReduceOp op, ArrayRef<TileRef> operands,
                  const Policy &policy) {
  Block &body = op.getCombiner().front();
  if (operands.size() == 2)
    if (Combiner combine = plainCombiner(body))
      return {reduceOne(op, combine, operands, policy)};
  unsigned inputs = operands.size() / 2;
  std::vector<TileRef> sofar(operands.begin() + inputs, operands.end());
  Slices slices(operands[0]->shape, op.getDimensions());
  for (int64_t number = 0, end = slices.count(); number < end; ++number) {
    SmallVector<TileRef> arguments;
    for (unsigned i = 0; i < inputs; ++i)
      arguments.push_back(slices.take(*operands[i], number, {}));
    arguments.append(sofar.begin(), sofar.end());
    sofar = runBody(body, arguments, policy);
    if (sofar.size() != inputs)
      return {};
  }
  TileValues results;
  for (const TileRef &tile : sofar)
    results.push_back(*tile);
  return results;
}

TileValues scan(tile::ScanOp op, ArrayRef<TileRef> operands,
                const Policy &policy) {
  Block &body = op.getCombiner().front();
  SmallVector<int64_t, 1> axes = {int64_t(op.getAxis())};
  Slices slices(operands[0]->shape, axes);
  int64_t length = slices.count();
  // The matrix unit may take a sum as a product with a triangle of ones.
  SumError perElement;
  if (plainCombiner(body) && operands.size() == 1)
    perElement = errorPerElement(*operands[0], length, policy);
  TileValues results;
  for (const TileRef &operand : operands)
    results.emplace_back(operand->element, operand->shape);
  std::vector<TileRef> sofar;
  for (int64_t step = 0; step < length; ++step) {
    int64_t number = op.getReverse() ? length - 1 - step : step;
    std::vector<TileRef> arguments = sofar;
    for (const TileRef &operand : operands)
      arguments.push_back(slices.take(*operand, number, perElement));
    sofar = step == 0 ? arguments : runBody(body, arguments, policy);
    if (sofar.size() != operands.size())
      return {};
    for (auto [tile, result] : llvm::zip_equal(sofar, results))
      slices.put(*tile, number, result);
  }
  return results;
}

} // namespace drawloom
