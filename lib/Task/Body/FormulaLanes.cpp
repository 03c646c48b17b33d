// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Terms that depend on where a lane lies: masks, and numbers of lanes.

#include "FormulaBuilder.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

/// Expressions of an operation's indices and of the place in a tile, over the
/// coordinates of Term::lanes.
FailureOr<SmallVector<AffineExpr>> FormulaBuilder::lanesOf(Operation *op, Value value, ValueRange at,
                                                           ArrayRef<AffineExpr> exprs) {
  const Schedule &s = ctx.schedule;
  SmallVector<AffineExpr> dims;
  for (Value index : at) {
    auto expr = s.express(index, op);
    if (failed(expr))
      return failure();
    dims.push_back(*expr);
  }
  auto type = cast<RankedTensorType>(value.getType());
  Form form = ctx.forms.of(value);
  AffineExpr row = getAffineDimExpr(s.size(), s.context()), column = getAffineDimExpr(s.size() + 1, s.context()),
             outer = getAffineDimExpr(s.size() + 2, s.context());
  SmallVector<AffineExpr> inTile;
  if (form.kind == Form::Block || form.kind == Form::Column)
    inTile.push_back(row);
  if (form.kind == Form::Block || form.kind == Form::Row || form.kind == Form::Flat)
    inTile.push_back(column);
  int64_t inner = form.outer;
  for (int64_t size : type.getShape().drop_back(inTile.size())) {
    inner /= size;
    dims.push_back(outer.floorDiv(inner) % size);
  }
  llvm::append_range(dims, inTile);
  SmallVector<AffineExpr> result;
  for (AffineExpr expr : exprs)
    result.push_back(simplifyAffineExpr(expr.replaceDims(dims), s.size() + 3, 0));
  return result;
}

/// Bounds that move evenly with the lanes cost nothing on interior tiles; of
/// others every lane is computed and compared.
FailureOr<int> FormulaBuilder::masked(tile::MaskOp op) {
  auto operand = build(op.getTile());
  auto lanes = lanesOf(op, op.getTile(), op.getAt(), op.getBounds().getConstraints());
  if (failed(operand) || failed(lanes))
    return failure();
  double scalar = 0;
  if (auto other = dyn_cast<FloatAttr>(op.getOther()))
    scalar = other.getValueAsDouble();
  else if (auto other = dyn_cast<IntegerAttr>(op.getOther()))
    scalar = isCondition(op.getTile()) ? other.getValue().getZExtValue() : other.getInt();
  int result = *operand;
  SmallVector<AffineExpr> even;
  for (AffineExpr expr : *lanes) {
    // Lanes are compared with where the tile begins.
    if (isEven(expr) && fitsFloat(expr - atFirstLane(expr), op)) {
      even.push_back(expr);
      continue;
    }
    auto number = integers(expr, op);
    if (failed(number))
      return failure();
    Term inside = term(Term::Binary, op, "gei", *number, filled(op, 0, true));
    inside.integer = true;
    int condition = add(inside);
    result = add(term(Term::Select, op, "select", condition, result, filled(op, scalar, isInteger(op.getTile()))));
  }
  if (even.empty())
    return result;
  Term mask = term(Term::Mask, op, "select", result);
  mask.lanes = even;
  mask.scalar = scalar;
  mask.integer = isInteger(op.getTile());
  return add(mask);
}

/// Whether an expression moves evenly with a lane's row and column.
bool FormulaBuilder::isEven(AffineExpr expr) const {
  const Schedule &s = ctx.schedule;
  return llvm::all_of(std::array{s.size(), s.size() + 1}, [&](unsigned axis) {
    AffineExpr lane = getAffineDimExpr(axis, s.context());
    return isa<AffineConstantExpr>(simplifyAffineExpr(expr.replace(lane, lane + 1) - expr, s.size() + 3, 0));
  });
}

AffineExpr FormulaBuilder::atFirstLane(AffineExpr expr) const {
  AffineExpr zero = getAffineConstantExpr(0, ctx.schedule.context());
  AffineExpr row = getAffineDimExpr(ctx.schedule.size(), ctx.schedule.context());
  AffineExpr column = getAffineDimExpr(ctx.schedule.size() + 1, ctx.schedule.context());
  return simplifyAffineExpr(expr.replace({{row, zero}, {column, zero}}), ctx.schedule.size() + 3, 0);
}

/// Whether a float holds each of the integers of an expression that moves evenly.
bool FormulaBuilder::fitsFloat(AffineExpr expr, Operation *op) const {
  constexpr int64_t kLast = int64_t(1) << 24;
  const Schedule &s = ctx.schedule;
  Value result = op->getResult(0);
  int64_t longest = 1;
  for (int64_t size : cast<RankedTensorType>(result.getType()).getShape())
    longest = std::max(longest, size);
  auto at = [&](int64_t row, int64_t column, int64_t outer) {
    SmallVector<AffineExpr> dims;
    for (unsigned dim = 0; dim < s.size(); ++dim)
      dims.push_back(getAffineDimExpr(dim, s.context()));
    for (int64_t lane : {row, column, outer})
      dims.push_back(getAffineConstantExpr(lane, s.context()));
    return s.simplify(expr.replaceDims(dims));
  };
  for (int64_t row : {int64_t(0), longest - 1})
    for (int64_t column : {int64_t(0), longest - 1})
      for (int64_t tile = 0, tiles = ctx.forms.of(result).outer; tile < tiles; ++tile) {
        Interval range = s.rangeOf(at(row, column, tile));
        if (range.low < -kLast || range.high > kLast)
          return false;
      }
  return true;
}

/// Integers that no float holds: lanes times their steps, and a beginning in two
/// halves.
FailureOr<int> FormulaBuilder::integersInParts(AffineExpr expr, Operation *op) {
  constexpr int64_t kHalf = 1 << 16;
  const Schedule &s = ctx.schedule;
  auto numbers = [&](AffineExpr part) {
    Term lanes = term(Term::Lanes, op);
    lanes.lanes = {simplifyAffineExpr(part, s.size() + 3, 0)};
    lanes.integer = true;
    return add(lanes);
  };
  auto with = [&](StringRef function, int lhs, int rhs) {
    Term result = term(Term::Binary, op, function, lhs, rhs);
    result.integer = true;
    return add(result);
  };
  auto times = [&](int number, int64_t factor) { return with("muli", number, filled(op, double(factor), true)); };
  AffineExpr first = atFirstLane(expr);
  int sum = with("addi", numbers(first % kHalf), times(numbers(first.floorDiv(kHalf)), kHalf));
  for (unsigned axis : {s.size(), s.size() + 1}) {
    AffineExpr lane = getAffineDimExpr(axis, s.context());
    auto step = cast<AffineConstantExpr>(simplifyAffineExpr(expr.replace(lane, lane + 1) - expr, s.size() + 3, 0));
    if (step.getValue() != 0)
      sum = with("addi", sum, times(numbers(lane), step.getValue()));
  }
  return sum;
}

/// Integer lanes of an expression: even parts are numbers of lanes, quotients
/// and remainders by powers of two are taken from their bits.
FailureOr<int> FormulaBuilder::integers(AffineExpr expr, Operation *op) {
  if (isEven(expr) && !fitsFloat(expr, op))
    return integersInParts(expr, op);
  if (isEven(expr)) {
    Term number = term(Term::Lanes, op);
    number.lanes = {expr};
    number.integer = true;
    return add(number);
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = integers(binary.getLHS(), op);
  if (failed(lhs))
    return failure();
  auto with = [&](StringRef function, FailureOr<int> rhs) -> FailureOr<int> {
    if (failed(rhs))
      return failure();
    Term result = term(Term::Binary, op, function, *lhs, *rhs);
    result.integer = true;
    return add(result);
  };
  auto fill = [&](int64_t value) -> FailureOr<int> { return filled(op, double(value), true); };
  if (binary.getKind() == AffineExprKind::Add)
    return with("addi", integers(binary.getRHS(), op));
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (constant && binary.getKind() == AffineExprKind::Mul)
    return with("muli", fill(constant.getValue()));
  bool power = constant && constant.getValue() > 0 && llvm::isPowerOf2_64(constant.getValue());
  if (power && binary.getKind() == AffineExprKind::FloorDiv)
    return with("shrsi", fill(llvm::Log2_64(constant.getValue())));
  if (power && binary.getKind() == AffineExprKind::Mod)
    return with("andi", fill(constant.getValue() - 1));
  return op->emitError("numbers lanes by a division or remainder other than by a power of two: number "
                       "them evenly");
}

/// Lane numbers, as integers or as the floats they are made of.
FailureOr<int> FormulaBuilder::numbered(tile::IndexOp op, bool integer) {
  auto lanes = lanesOf(op, op.getTile(), op.getAt(), op.getMap().getResults());
  if (failed(lanes))
    return failure();
  if (isEven((*lanes)[0]) && !integer) {
    Term number = term(Term::Lanes, op);
    number.lanes = *lanes;
    return add(number);
  }
  auto numbers = integers((*lanes)[0], op);
  if (failed(numbers) || integer)
    return numbers;
  return add(term(Term::Unary, op, "sitofp", *numbers));
}
