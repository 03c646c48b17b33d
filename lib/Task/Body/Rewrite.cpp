// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of extrema and general scans in terms of reductions and products.

#include "Rewrite.h"

#include "Literals.h"
#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); }

static RankedTensorType withElement(Value value, Type element) {
  return RankedTensorType::get(cast<RankedTensorType>(value.getType()).getShape(), element);
}

//===-- Places of extrema ---------------------------------------------------//

namespace {

/// What a combiner of (value, number) pairs picks, decided by comparisons
/// alone: all orders of the two pairs are tried.
class PairCombiner {
public:
  explicit PairCombiner(mlir::Block &body) : body(body) {}

  /// Whether the new pair is picked when its value and number compare so with
  /// those before; nothing if the combiner does anything but compare and pick.
  std::optional<bool> picksNew(int value, int number);

private:
  std::optional<int> truth(Value value);
  std::optional<int> orderOf(Value lhs, Value rhs);

  mlir::Block &body;
  int valueOrder = 0, numberOrder = 0; ///< of the new against the old: -1, 0, 1
};

} // namespace

/// How `lhs` compares with `rhs`: both block arguments of one kind.
std::optional<int> PairCombiner::orderOf(Value lhs, Value rhs) {
  auto a = dyn_cast<BlockArgument>(lhs), b = dyn_cast<BlockArgument>(rhs);
  if (!a || !b || a.getOwner() != &body || b.getOwner() != &body || a.getArgNumber() % 2 != b.getArgNumber() % 2)
    return std::nullopt;
  int order = a.getArgNumber() % 2 ? numberOrder : valueOrder;
  bool aNew = a.getArgNumber() < 2, bNew = b.getArgNumber() < 2;
  return aNew == bNew ? 0 : aNew ? order : -order;
}

std::optional<int> PairCombiner::truth(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return !constant.isZero();
  Operation *op = value.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpFOp>(op)) {
    auto order = orderOf(compare.getLhs(), compare.getRhs());
    if (!order)
      return std::nullopt;
    using P = arith::CmpFPredicate;
    switch (compare.getPredicate()) {
    case P::OEQ: case P::UEQ: return *order == 0;
    case P::ONE: case P::UNE: return *order != 0;
    case P::OLT: case P::ULT: return *order < 0;
    case P::OLE: case P::ULE: return *order <= 0;
    case P::OGT: case P::UGT: return *order > 0;
    case P::OGE: case P::UGE: return *order >= 0;
    case P::UNO: return false; // extrema of numbers
    case P::ORD: return true;
    default: return std::nullopt;
    }
  }
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op)) {
    auto order = orderOf(compare.getLhs(), compare.getRhs());
    if (!order)
      return std::nullopt;
    using P = arith::CmpIPredicate;
    switch (compare.getPredicate()) {
    case P::eq: return *order == 0;
    case P::ne: return *order != 0;
    case P::slt: case P::ult: return *order < 0;
    case P::sle: case P::ule: return *order <= 0;
    case P::sgt: case P::ugt: return *order > 0;
    case P::sge: case P::uge: return *order >= 0;
    }
  }
  if (!isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  auto lhs = truth(op->getOperand(0)), rhs = truth(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  return isa<arith::AndIOp>(op) ? *lhs & *rhs : isa<arith::OrIOp>(op) ? *lhs | *rhs : *lhs ^ *rhs;
}

std::optional<bool> PairCombiner::picksNew(int value, int number) {
  valueOrder = value, numberOrder = number;
  std::optional<bool> picked;
  for (auto [index, result] : llvm::enumerate(body.getTerminator()->getOperands())) {
    auto select = result.getDefiningOp<arith::SelectOp>();
    auto condition = select ? truth(select.getCondition()) : std::nullopt;
    auto argument = condition ? dyn_cast<BlockArgument>(*condition ? select.getTrueValue() : select.getFalseValue())
                              : BlockArgument();
    if (!argument || argument.getArgNumber() % 2 != index)
      return std::nullopt;
    bool isNew = argument.getArgNumber() < 2;
    // Of equal pairs either half may come from either.
    bool same = index == 0 ? value == 0 : number == 0;
    if (same)
      continue;
    if (picked && *picked != isNew)
      return std::nullopt;
    picked = isNew;
  }
  return picked.value_or(false);
}

/// 1 for the largest, -1 for the smallest, 0 for neither. Of equal values the
/// first lane's, or any, must be wanted.
static int extremumOf(mlir::Block &body) {
  PairCombiner combiner(body);
  for (int sign : {1, -1}) {
    bool fits = true;
    for (int number : {-1, 0, 1}) {
      fits &= combiner.picksNew(sign, number) == std::optional(true);
      fits &= combiner.picksNew(-sign, number) == std::optional(false);
    }
    // Among equals the smaller number, or any.
    auto larger = combiner.picksNew(0, 1), smaller = combiner.picksNew(0, -1);
    fits &= larger && smaller && (!*larger || *smaller);
    if (fits)
      return sign;
  }
  return 0;
}

static linalg::ReduceOp reduced(OpBuilder &b, Location loc, Value input, Value start, ArrayRef<int64_t> dims,
                                llvm::function_ref<Value(OpBuilder &, Value, Value)> combine) {
  return linalg::ReduceOp::create(b, loc, input, start, dims, [&](OpBuilder &inner, Location at, ValueRange args) {
    linalg::YieldOp::create(inner, at, combine(inner, args[0], args[1]));
  });
}

static Value largest(OpBuilder &b, Location loc, Value input, ArrayRef<int64_t> dims, RankedTensorType type) {
  Value start = splat(b, loc, type, -std::numeric_limits<double>::infinity());
  return reduced(b, loc, input, start, dims,
                 [&](OpBuilder &inner, Value x, Value y) -> Value { return arith::MaxNumFOp::create(inner, loc, x, y); })
      ->getResult(0);
}

bool drawloom::task::isArgument(linalg::ReduceOp reduce) {
  return reduce.getInputs().size() == 2 && isFloat(reduce.getInputs()[0]) &&
         getElementTypeOrSelf(reduce.getInputs()[1]).isInteger(32) && extremumOf(reduce.getCombiner().front());
}

void drawloom::task::splitArgument(linalg::ReduceOp reduce) {
  Value values = reduce.getInputs()[0], numbers = reduce.getInputs()[1];
  auto type = cast<RankedTensorType>(values.getType());
  int sign = extremumOf(reduce.getCombiner().front());
  OpBuilder b(reduce);
  Location loc = reduce.getLoc();
  ArrayRef<int64_t> dims = reduce.getDimensions();
  auto resultType = withElement(reduce.getResult(0), type.getElementType());
  Value input = sign > 0 ? values : Value(arith::NegFOp::create(b, loc, values));
  Value best = largest(b, loc, input, dims, resultType);
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  auto repeat = linalg::BroadcastOp::create(b, loc, best, empty, dims);
  Value equal = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, input, repeat->getResult(0));
  auto last = b.getI32IntegerAttr(std::numeric_limits<int32_t>::max());
  auto constant = [&](Value like) -> Value {
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(withElement(like, last.getType()), Attribute(last)));
  };
  Value candidates = arith::SelectOp::create(b, loc, equal, numbers, constant(numbers));
  Value first = reduced(b, loc, candidates, constant(reduce.getResult(1)), dims,
                        [&](OpBuilder &inner, Value x, Value y) -> Value {
                          return arith::MinSIOp::create(inner, loc, x, y);
                        })
                    ->getResult(0);
  reduce.getResult(0).replaceAllUsesWith(sign > 0 ? best : Value(arith::NegFOp::create(b, loc, best)));
  reduce.getResult(1).replaceAllUsesWith(first);
  reduce.erase();
}

//===-- Scans ---------------------------------------------------------------//

bool drawloom::task::isSum(tile::ScanOp scan) {
  mlir::Block &body = scan.getCombiner().front();
  if (scan.getTiles().size() != 1 || llvm::range_size(body) != 2)
    return false;
  auto add = dyn_cast<arith::AddFOp>(body.front());
  return add && body.getTerminator()->getOperand(0) == add.getResult();
}

/// `value` with the lanes outside `lanes >= 0` replaced.
static Value masked(OpBuilder &b, Location loc, Value value, ArrayRef<AffineExpr> lanes, double other) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<bool> inequalities(lanes.size(), false);
  return tile::MaskOp::create(b, loc, type, value, ValueRange{},
                              IntegerSet::get(type.getRank(), 0, lanes, inequalities),
                              b.getFloatAttr(type.getElementType(), other));
}

/// The combiner `body` of whole tiles, which takes the tuple `first`, then `second`.
static SmallVector<Value> combine(OpBuilder &b, Location loc, mlir::Block &body, ArrayRef<Value> first,
                                  ArrayRef<Value> second) {
  IRMapping mapping;
  mapping.map(body.getArguments().take_front(first.size()), first);
  mapping.map(body.getArguments().drop_front(first.size()), second);
  for (Operation &op : body.without_terminator()) {
    OperationState state(loc, op.getName());
    for (Value operand : op.getOperands())
      state.addOperands(mapping.lookupOrDefault(operand));
    for (Type result : op.getResultTypes())
      state.addTypes(withElement(first[0], result));
    state.addAttributes(op.getAttrs());
    state.propertiesAttr = op.getPropertiesAsAttribute();
    Operation *wide = b.create(state);
    mapping.map(op.getResults(), wide->getResults());
  }
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}

/// Three values of bf16 that add up to a 32-bit one.
static SmallVector<Value> parts(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.getElementType().isF32() || getElementTypeOrSelf(bare(value)).isBF16())
    return {value};
  auto bits = withElement(value, b.getI32Type()), narrow = withElement(value, b.getBF16Type());
  Value upper = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(bits, b.getI32IntegerAttr(0xFFFF0000)));
  SmallVector<Value> result;
  for (int part = 0; part < 2; ++part) {
    Value kept = arith::AndIOp::create(b, loc, arith::BitcastOp::create(b, loc, bits, value), upper);
    Value held = arith::BitcastOp::create(b, loc, type, kept);
    result.push_back(arith::TruncFOp::create(b, loc, narrow, held));
    value = arith::SubFOp::create(b, loc, value, arith::ExtFOp::create(b, loc, type, result.back()));
  }
  result.push_back(arith::TruncFOp::create(b, loc, narrow, value));
  return result;
}

Value drawloom::task::moveLanes(OpBuilder &b, Location loc, Value value, int64_t columns, AffineExpr isZero, Value sum) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<Value> taken = parts(b, loc, value);
  auto lanes = RankedTensorType::get({type.getDimSize(1), columns}, getElementTypeOrSelf(taken[0]));
  Value moves = masked(b, loc, splat(b, loc, lanes, 1), {isZero, -isZero}, 0);
  if (!sum)
    sum = splat(b, loc, RankedTensorType::get({type.getDimSize(0), columns}, type.getElementType()), 0);
  for (Value part : taken)
    sum = linalg::MatmulOp::create(b, loc, ValueRange{part, moves}, ValueRange(sum))->getResult(0);
  return sum;
}

/// The matrix that moves lanes by `distance`: row i of a product from the left
/// takes lane i - distance.
static Value diagonal(OpBuilder &b, Location loc, int64_t lanes, Type element, bool columns, bool reverse,
                      int64_t distance) {
  AffineExpr r = b.getAffineDimExpr(0), c = b.getAffineDimExpr(1);
  AffineExpr off = columns != reverse ? c - r - distance : r - c - distance;
  return masked(b, loc, splat(b, loc, RankedTensorType::get({lanes, lanes}, element), 1), {off, -off}, 0);
}

/// Each lane of `values` gets the one `distance` before it; the first ones get zero.
static SmallVector<Value> shifted(OpBuilder &b, Location loc, ArrayRef<Value> values, bool columns, bool reverse,
                                  int64_t distance) {
  llvm::SmallDenseMap<Type, Value> diagonals; // by the format of what they meet
  SmallVector<Value> results;
  for (Value value : values) {
    auto type = cast<RankedTensorType>(value.getType());
    Value sum = splat(b, loc, type, 0);
    for (Value part : parts(b, loc, value)) {
      Value &moves = diagonals[getElementTypeOrSelf(part)];
      if (!moves)
        moves = diagonal(b, loc, type.getDimSize(columns ? 1 : 0), getElementTypeOrSelf(part), columns, reverse, distance);
      SmallVector<Value> operands = columns ? SmallVector<Value>{part, moves} : SmallVector<Value>{moves, part};
      sum = linalg::MatmulOp::create(b, loc, operands, ValueRange(sum))->getResult(0);
    }
    results.push_back(sum);
  }
  return results;
}

/// `combined` in the lanes that have another at the step's distance, `kept` in
/// the others.
static Value whereReached(OpBuilder &b, Location loc, AffineExpr reached, Value combined, Value kept) {
  auto type = cast<RankedTensorType>(kept.getType());
  Value far = masked(b, loc, splat(b, loc, type, 1), {reached}, 0);
  Value isFar = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, far, splat(b, loc, type, 0));
  return arith::SelectOp::create(b, loc, isFar, combined, kept);
}

/// The scan of vectors as that of a row of a matrix.
static tile::ScanOp asRow(tile::ScanOp scan) {
  OpBuilder b(scan);
  Location loc = scan.getLoc();
  SmallVector<ReassociationIndices> axes{{0, 1}};
  SmallVector<Value> rows;
  SmallVector<Type> types;
  for (Value vector : scan.getTiles()) {
    auto type = cast<RankedTensorType>(vector.getType());
    types.push_back(RankedTensorType::get({1, type.getDimSize(0)}, type.getElementType()));
    rows.push_back(tensor::ExpandShapeOp::create(b, loc, types.back(), vector, axes));
  }
  auto wide = tile::ScanOp::create(b, loc, types, rows, 1, scan.getReverse());
  wide.getCombiner().takeBody(scan.getCombiner());
  for (auto [vector, row] : llvm::zip(scan.getResults(), wide.getResults()))
    vector.replaceAllUsesWith(tensor::CollapseShapeOp::create(b, loc, vector.getType(), row, axes));
  scan.erase();
  return wide;
}

void drawloom::task::splitScan(tile::ScanOp scan) {
  auto type = cast<RankedTensorType>(scan.getTiles()[0].getType());
  if (type.getRank() == 1 && !isSum(scan) && llvm::all_of(scan.getTiles(), isFloat))
    return splitScan(asRow(scan));
  if (isSum(scan) || type.getRank() != 2 || !llvm::all_of(scan.getTiles(), isFloat))
    return;
  OpBuilder b(scan);
  Location loc = scan.getLoc();
  bool columns = scan.getAxis() == 1, reverse = scan.getReverse();
  int64_t lanes = type.getDimSize(scan.getAxis());
  AffineExpr lane = b.getAffineDimExpr(scan.getAxis());
  SmallVector<Value> now(scan.getTiles());
  for (int64_t distance = 1; distance < lanes; distance *= 2) {
    SmallVector<Value> before = shifted(b, loc, now, columns, reverse, distance);
    SmallVector<Value> next = combine(b, loc, scan.getCombiner().front(), before, now);
    AffineExpr reached = reverse ? (lanes - 1 - distance) - lane : lane - distance;
    for (auto [value, combined] : llvm::zip(now, next))
      value = whereReached(b, loc, reached, combined, value);
  }
  scan.replaceAllUsesWith(ValueRange(now));
  scan.erase();
}

//===-- General reductions --------------------------------------------------//

/// Lanes `from` to `from + lanes` along `axis`.
static Value part(OpBuilder &b, Location loc, Value value, int64_t axis, int64_t from, int64_t lanes) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> offsets(2, b.getIndexAttr(0)), sizes, strides(2, b.getIndexAttr(1));
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  offsets[axis] = b.getIndexAttr(from), sizes[axis] = b.getIndexAttr(lanes);
  return tensor::ExtractSliceOp::create(b, loc, value, offsets, sizes, strides);
}

/// What the first lane along `axis` holds; all its digits.
static Value firstLane(OpBuilder &b, Location loc, Value value, int64_t axis, RankedTensorType type, ExactOps &exact) {
  Value alone = masked(b, loc, value, {-b.getAffineDimExpr(axis)}, 0);
  auto sum = reduced(b, loc, alone, splat(b, loc, type, 0), {axis}, [&](OpBuilder &inner, Value x, Value y) -> Value {
    return arith::AddFOp::create(inner, loc, x, y);
  });
  exact.insert(sum);
  return sum->getResult(0);
}

void drawloom::task::splitReduction(linalg::ReduceOp reduce, ExactOps &exact) {
  auto type = cast<RankedTensorType>(reduce.getInputs()[0].getType());
  if (type.getRank() != 2 || reduce.getDimensions().size() != 1 || !llvm::all_of(reduce.getInputs(), isFloat))
    return;
  OpBuilder b(reduce);
  Location loc = reduce.getLoc();
  mlir::Block &body = reduce.getCombiner().front();
  int64_t axis = reduce.getDimensions()[0], lanes = type.getDimSize(axis);
  SmallVector<Value> now(reduce.getInputs());
  // Whole tiles first: these move no lanes. Many are halved, which makes less code;
  // few go one by one, which takes buffers of one size.
  auto combineParts = [&](int64_t size) {
    SmallVector<SmallVector<Value>> tuples(lanes / size);
    for (auto [i, tuple] : llvm::enumerate(tuples))
      for (Value value : now)
        tuple.push_back(part(b, loc, value, axis, i * size, size));
    now = tuples.front();
    for (const SmallVector<Value> &next : ArrayRef(tuples).drop_front())
      now = combine(b, loc, body, next, now);
    lanes = size;
  };
  while (lanes % (2 * kTileSide) == 0 && lanes > 16 * kTileSide)
    combineParts(lanes / 2);
  if (lanes % kTileSide == 0 && lanes > kTileSide)
    combineParts(kTileSide);
  AffineExpr lane = b.getAffineDimExpr(axis);
  for (int64_t distance = 1; distance < lanes; distance *= 2) {
    SmallVector<Value> after = shifted(b, loc, now, /*columns=*/axis == 1, /*reverse=*/true, distance);
    for (auto [value, combined] : llvm::zip(now, combine(b, loc, body, after, now)))
      value = whereReached(b, loc, (lanes - 1 - distance) - lane, combined, value);
  }
  // What the reduction starts from changes nothing.
  for (auto [value, result] : llvm::zip(now, reduce.getResults()))
    result.replaceAllUsesWith(firstLane(b, loc, value, axis, cast<RankedTensorType>(result.getType()), exact));
  reduce.erase();
}
