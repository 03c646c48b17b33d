// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From operations on tensors to the functions of the vector unit.

#include "Expression.h"

#include "Fusion.h"
#include "drawloom/Tile/VectorFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <map>

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

Value drawloom::task::withoutCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

namespace {

/// Builds the nodes of one expression, each value once.
class ExpressionBuilder {
public:
  explicit ExpressionBuilder(Value accumulator) : accumulator(accumulator) {}
  FailureOr<int> build(Value value, std::optional<Broadcast> broadcast, bool transposed);
  Expression expression;

private:
  FailureOr<int> make(Value value, std::optional<Broadcast> broadcast, bool transposed);
  /// `function` of `values`, at `op`.
  FailureOr<int> named(Operation *op, ValueRange values, StringRef function,
                       std::optional<Broadcast> broadcast, bool transposed);
  FailureOr<int> operation(Operation *op, std::optional<Broadcast> broadcast, bool transposed);
  FailureOr<int> selection(arith::SelectOp op, std::optional<Broadcast> broadcast, bool transposed);
  FailureOr<int> withScalar(Operation *op, StringRef function, double scalar, bool scalarFirst,
                            int operand);
  int add(Node::Kind kind, Location loc, StringRef function = "", int lhs = -1, int rhs = -1,
          float scalar = 0) {
    Node node{kind, function.str(), scalar, lhs, rhs, {}, {}, false, false, 0, loc};
    expression.nodes.push_back(node);
    for (int operand : {lhs, rhs})
      if (operand >= 0)
        ++expression.nodes[operand].uses;
    return expression.nodes.size() - 1;
  }

  Value accumulator;
  using Key = std::pair<const void *, int>;
  std::map<Key, int> known;
};

} // namespace

FailureOr<int> ExpressionBuilder::build(Value value, std::optional<Broadcast> broadcast,
                                        bool transposed) {
  value = withoutCasts(value);
  int form = (broadcast ? 1 + static_cast<int>(*broadcast) : 0) * 2 + transposed;
  Key key{value.getAsOpaquePointer(), form};
  if (auto it = known.find(key); it != known.end())
    return it->second;
  auto node = make(value, broadcast, transposed);
  if (succeeded(node))
    known[key] = *node;
  return node;
}

FailureOr<int> ExpressionBuilder::make(Value value, std::optional<Broadcast> broadcast,
                                       bool transposed) {
  Operation *op = value.getDefiningOp();
  if (value == accumulator) {
    if (broadcast || transposed)
      return op->emitError("is transposed or repeated after its reduction: neither is done in Dst; "
                           "exchange the operands of the product instead");
    return add(Node::Accumulator, value.getLoc());
  }
  if (auto load = dyn_cast_or_null<tile::LoadOp>(op)) {
    int node = add(Node::Tile, load.getLoc());
    expression.nodes[node].load = load;
    expression.nodes[node].broadcast = broadcast;
    expression.nodes[node].transposed = expression.nodes[node].exchanged = transposed;
    return node;
  }
  if (auto repeat = dyn_cast_or_null<linalg::BroadcastOp>(op)) {
    auto from = cast<ShapedType>(repeat.getInput().getType());
    if (from.getRank() != 1 || repeat.getDimensions() != ArrayRef<int64_t>{0} || broadcast || transposed)
      return op->emitError("repeats a tile along other than its rows: a vector of one value per "
                           "column can be repeated over the rows");
    return build(repeat.getInput(), Broadcast::Row, false);
  }
  if (auto transpose = dyn_cast_or_null<linalg::TransposeOp>(op)) {
    if (broadcast || transpose.getPermutation() != ArrayRef<int64_t>{1, 0})
      return op->emitError("permutes other than the two axes of a tile");
    return build(transpose.getInput(), std::nullopt, !transposed);
  }
  if (!op)
    return emitError(value.getLoc(), "is a value of a loop, which only a reduction may carry");
  return operation(op, broadcast, transposed);
}

FailureOr<int> ExpressionBuilder::operation(Operation *op, std::optional<Broadcast> broadcast,
                                            bool transposed) {
  if (auto fused = dyn_cast<math::FmaOp>(op)) {
    auto a = build(fused.getA(), broadcast, transposed), b = build(fused.getB(), broadcast, transposed),
         c = build(fused.getC(), broadcast, transposed);
    if (failed(a) || failed(b) || failed(c))
      return failure();
    return add(Node::Binary, op->getLoc(), "add", add(Node::Binary, op->getLoc(), "mul", *a, *b), *c);
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return selection(select, broadcast, transposed);
  if (auto fused = fusedFunction(op))
    return named(op, fused->operand, fused->function, broadcast, transposed);
  StringRef function = tile::vectorFunction(op);
  if (function.empty())
    return op->emitError("is nothing the vector unit computes on tiles: write it with add, sub, "
                         "mul, div, max, min, neg, abs, exp, log, sqrt, rsqrt, tanh or erf on floats");
  return named(op, op->getOperands(), function, broadcast, transposed);
}

FailureOr<int> ExpressionBuilder::named(Operation *op, ValueRange values, StringRef function,
                                        std::optional<Broadcast> broadcast, bool transposed) {
  SmallVector<int> operands;
  std::optional<double> scalar;
  bool scalarFirst = false;
  for (auto [index, operand] : llvm::enumerate(values)) {
    auto constant = splatOf(operand);
    if (constant && values.size() == 2 && !scalar) {
      scalar = constant;
      scalarFirst = index == 0;
      continue;
    }
    auto node = build(operand, broadcast, transposed);
    if (failed(node))
      return failure();
    operands.push_back(*node);
  }
  if (operands.empty())
    return op->emitError("computes a constant: fold it");
  if (scalar)
    return withScalar(op, function, *scalar, scalarFirst, operands[0]);
  if (operands.size() == 1)
    return add(Node::Unary, op->getLoc(), function, operands[0]);
  return add(Node::Binary, op->getLoc(), function, operands[0], operands[1]);
}

/// Whether `value` is `of` times a constant from 0 (excluded) to 1.
static bool isFraction(Value value, Value of) {
  auto product = withoutCasts(value).getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  for (auto [a, b] : {std::pair(product.getLhs(), product.getRhs()),
                      std::pair(product.getRhs(), product.getLhs())}) {
    auto factor = splatOf(b);
    if (factor && *factor > 0 && *factor <= 1 && withoutCasts(a) == of)
      return true;
  }
  return false;
}

/// Choices that are a maximum or a minimum: of what is compared, or of a value
/// and a fraction of it by its sign.
FailureOr<int> ExpressionBuilder::selection(arith::SelectOp op, std::optional<Broadcast> broadcast,
                                            bool transposed) {
  using Predicate = arith::CmpFPredicate;
  auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
  bool greater = compare && llvm::is_contained({Predicate::OGT, Predicate::OGE, Predicate::UGT, Predicate::UGE},
                                               compare.getPredicate());
  bool less = compare && llvm::is_contained({Predicate::OLT, Predicate::OLE, Predicate::ULT, Predicate::ULE},
                                            compare.getPredicate());
  auto same = [](Value a, Value b) {
    auto x = splatOf(a), y = splatOf(b);
    return withoutCasts(a) == withoutCasts(b) || (x && y && *x == *y);
  };
  if (greater || less) {
    Value x = compare.getLhs(), y = compare.getRhs();
    Value yes = op.getTrueValue(), no = op.getFalseValue();
    bool keeps = same(yes, x) && same(no, y), swaps = same(yes, y) && same(no, x);
    auto bound = splatOf(y);
    Value kept = greater ? yes : no, scaled = greater ? no : yes;
    if (keeps || swaps)
      return named(op, {yes, no}, greater == keeps ? "max" : "min", broadcast, transposed);
    if (bound && *bound == 0 && same(kept, x) && isFraction(scaled, withoutCasts(x)))
      return named(op, {yes, no}, "max", broadcast, transposed);
  }
  return op.emitError("chooses lane by lane: write it with max and min, or mask the load or store");
}

/// An operation with one constant operand; the unit takes the constant second.
FailureOr<int> ExpressionBuilder::withScalar(Operation *op, StringRef function, double scalar,
                                             bool scalarFirst, int operand) {
  Location loc = op->getLoc();
  auto second = [&](StringRef name, int of, double value) {
    return add(Node::Scalar, loc, name, of, -1, static_cast<float>(value));
  };
  if (function == "sub" && scalarFirst)
    return second("add", add(Node::Unary, loc, "neg", operand), scalar);
  if (function != "div")
    return second(function, operand, scalar);
  if (!scalarFirst)
    return second("mul", operand, 1 / scalar);
  int inverse = add(Node::Unary, loc, "recip", operand);
  return scalar == 1 ? inverse : second("mul", inverse, scalar);
}

FailureOr<Expression> drawloom::task::expressionOf(Value value, Value accumulator) {
  ExpressionBuilder builder(accumulator);
  auto root = builder.build(value, std::nullopt, false);
  if (failed(root))
    return failure();
  builder.expression.root = *root;
  ++builder.expression.nodes[*root].uses;
  return builder.expression;
}
