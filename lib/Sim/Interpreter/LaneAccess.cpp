// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the lanes of one access: which exist and where their elements lie.

#include "LaneAccess.h"
#include "TileValue.h"
#include "drawloom/Tile/Integers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom {

static bool isConstant(const LinearForm &form) {
  return llvm::all_of(form.coefficient, [](int64_t c) { return c == 0; });
}

static std::optional<LinearForm> combine(AffineExprKind kind, LinearForm lhs,
                                         const LinearForm &rhs) {
  if (kind == AffineExprKind::Add) {
    lhs.constant += rhs.constant;
    for (auto [to, from] : llvm::zip_equal(lhs.coefficient, rhs.coefficient))
      to += from;
    return lhs;
  }
  if (!isConstant(rhs))
    return kind == AffineExprKind::Mul && isConstant(lhs)
               ? combine(kind, rhs, lhs)
               : std::nullopt;
  if (kind != AffineExprKind::Mul && !isConstant(lhs))
    return std::nullopt;
  lhs.constant = tile::evaluate(kind, lhs.constant, rhs.constant);
  for (int64_t &coefficient : lhs.coefficient)
    coefficient *= rhs.constant;
  return lhs;
}

std::optional<LinearForm> linearOver(AffineExpr expr, ArrayRef<int64_t> at,
                                     unsigned lanes) {
  LinearForm form;
  form.coefficient.assign(lanes, 0);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    form.constant = constant.getValue();
    return form;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    unsigned position = dim.getPosition();
    if (position < at.size())
      form.constant = at[position];
    else
      form.coefficient[position - at.size()] = 1;
    return form;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = linearOver(binary.getLHS(), at, lanes);
  auto rhs = linearOver(binary.getRHS(), at, lanes);
  if (!lhs || !rhs)
    return std::nullopt;
  return combine(binary.getKind(), std::move(*lhs), *rhs);
}

void LaneAccess::restrict(AffineExpr constraint,
                          MutableArrayRef<int64_t> point) {
  if (lanes.empty()) { // a tile of rank 0 has one lane
    anyLane &= tile::evaluate(constraint, point) >= 0;
    return;
  }
  // A constraint on no lane axis holds for all lanes or for none: any axis can
  // carry it.
  bool usesValue = lookup.values && constraint.isFunctionOfDim(at.size());
  unsigned axis = usesValue ? lookup.axis : 0;
  while (!usesValue && axis + 1 < lanes.size() &&
         !constraint.isFunctionOfDim(firstLane() + axis))
    ++axis;
  exists[axis].resize(lanes[axis], true);
  for (int64_t lane = 0; lane < lanes[axis]; ++lane) {
    point[firstLane() + axis] = lane;
    if (usesValue)
      point[at.size()] = integerOf(lookup.values->value[lane]);
    if (tile::evaluate(constraint, point) < 0)
      exists[axis][lane] = false;
  }
  point[firstLane() + axis] = 0;
}

void LaneAccess::restrict(IntegerSet bounds) {
  SmallVector<int64_t> point(at);
  point.resize(firstLane() + lanes.size());
  for (AffineExpr constraint : bounds.getConstraints())
    restrict(constraint, point);
}

bool LaneAccess::looksUpUndefined() const {
  if (!lookup.values || isEmpty())
    return false;
  const std::vector<bool> &axis = exists[lookup.axis];
  for (int64_t lane = 0; lane < lanes[lookup.axis]; ++lane)
    if ((axis.empty() || axis[lane]) && lookup.values->errorAt(lane) > 0)
      return true;
  return false;
}

bool LaneAccess::isEmpty() const {
  return !anyLane || llvm::any_of(exists, [](const std::vector<bool> &axis) {
    return !axis.empty() && !llvm::is_contained(axis, true);
  });
}

/// First and last existing lane of an axis that has some.
static std::pair<int64_t, int64_t> extremes(const std::vector<bool> &exists,
                                            int64_t lanes) {
  if (exists.empty())
    return {0, lanes - 1};
  auto first = llvm::find(exists, true) - exists.begin();
  int64_t last = lanes - 1;
  while (!exists[last])
    --last;
  return {first, last};
}

std::optional<LaneAccess::Outside>
LaneAccess::outside(const LinearForm &subscript, unsigned axis,
                    int64_t size) const {
  int64_t low = subscript.constant, high = subscript.constant;
  for (auto [lane, coefficient] : llvm::enumerate(subscript.coefficient)) {
    auto [first, last] = extremes(exists[lane], lanes[lane]);
    low += coefficient * (coefficient < 0 ? last : first);
    high += coefficient * (coefficient < 0 ? first : last);
  }
  if (low < 0)
    return Outside{axis, low};
  if (high >= size)
    return Outside{axis, high};
  return std::nullopt;
}

/// The maximal runs of existing lanes of an axis, as first lane and count.
static SmallVector<std::pair<int64_t, int64_t>>
runsOf(const std::vector<bool> &exists, int64_t lanes) {
  if (exists.empty())
    return {{0, lanes}};
  SmallVector<std::pair<int64_t, int64_t>> runs;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    if (!exists[lane])
      continue;
    if (lane && exists[lane - 1])
      ++runs.back().second;
    else
      runs.push_back({lane, 1});
  }
  return runs;
}

/// Steps `point` to the next one of a box in row-major order.
static bool advance(MutableArrayRef<int64_t> point, ArrayRef<int64_t> shape) {
  for (int64_t axis = static_cast<int64_t>(shape.size()) - 1; axis >= 0;
       --axis) {
    if (++point[axis] < shape[axis])
      return true;
    point[axis] = 0;
  }
  return false;
}

bool LaneAccess::rowExists(ArrayRef<int64_t> row) const {
  for (auto [axis, lane] : llvm::enumerate(row))
    if (!exists[axis].empty() && !exists[axis][lane])
      return false;
  return true;
}

std::optional<LaneAccess::Outside>
LaneAccess::forEachLane(AffineMap access, MemRefType array, RunFn run) const {
  auto [strides, offset] = array.getStridesAndOffset();
  SmallVector<int64_t> point(at);
  point.resize(firstLane() + lanes.size(), 0);
  auto lanePoint = MutableArrayRef(point).drop_front(firstLane());
  int64_t lane = 0;
  do {
    if (!rowExists(lanePoint))
      continue;
    if (lookup.values)
      point[at.size()] =
          integerOf(lookup.values->value[lanePoint[lookup.axis]]);
    int64_t element = offset;
    for (auto [axis, expr] : llvm::enumerate(access.getResults())) {
      int64_t subscript = tile::evaluate(expr, point);
      if (subscript < 0 || subscript >= array.getDimSize(axis))
        return Outside{static_cast<unsigned>(axis), subscript};
      element += subscript * strides[axis];
    }
    run(lane, element, 1, 1);
  } while (++lane, advance(lanePoint, lanes));
  return std::nullopt;
}

void LaneAccess::forEachRow(const LinearForm &place, RunFn run) const {
  if (lanes.empty())
    return run(0, place.constant, 1, 1);
  auto runs = runsOf(exists.back(), lanes.back());
  ArrayRef<int64_t> rows = lanes.drop_back();
  SmallVector<int64_t> row(rows.size(), 0);
  int64_t stride = place.coefficient.back(), firstLane = 0;
  do {
    if (!rowExists(row))
      continue;
    int64_t start = place.constant;
    for (auto [lane, coefficient] : llvm::zip(row, place.coefficient))
      start += lane * coefficient;
    for (auto [first, count] : runs)
      run(firstLane + first, start + first * stride, stride, count);
  } while (firstLane += lanes.back(), advance(row, rows));
}

std::optional<LaneAccess::Outside>
LaneAccess::forEachRun(AffineMap access, MemRefType array, RunFn run) const {
  if (isEmpty())
    return std::nullopt;
  if (lookup.values)
    return forEachLane(access, array, run);
  auto [strides, offset] = array.getStridesAndOffset();
  // The element's place as one linear form, if every subscript is linear.
  LinearForm place;
  place.constant = offset;
  place.coefficient.assign(lanes.size(), 0);
  for (auto [axis, expr] : llvm::enumerate(access.getResults())) {
    auto subscript = linearOver(expr, at, lanes.size());
    if (!subscript)
      return forEachLane(access, array, run);
    if (auto out = outside(*subscript, axis, array.getDimSize(axis)))
      return out;
    place.constant += subscript->constant * strides[axis];
    for (auto [to, from] :
         llvm::zip_equal(place.coefficient, subscript->coefficient))
      to += from * strides[axis];
  }
  forEachRow(place, run);
  return std::nullopt;
}

} // namespace drawloom
