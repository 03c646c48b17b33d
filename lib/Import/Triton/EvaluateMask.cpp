// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks as conjunctions of comparisons: what makes them, and what chooses by
// them.

#include "EvaluateOperation.h"

using namespace mlir;

namespace drawloom::tt {

std::optional<Column> columnOf(const Condition &condition) {
  if (condition.partial)
    return std::nullopt;
  Column result(1);
  for (const IndexExpr &term : condition.terms) {
    if (!term.isColumn())
      return std::nullopt;
    result = *Column::map(result, term.base, [](int64_t holds, int64_t value) {
      return std::optional<int64_t>(holds && value >= 0);
    });
  }
  return result;
}

IndexExpr choose(const Column &which, const IndexExpr &a, const IndexExpr &b) {
  auto first = Column::map(which, a.base, multiplyExact);
  auto second = Column::map(which, b.base, [](int64_t holds, int64_t value) {
    return std::optional<int64_t>(holds ? 0 : value);
  });
  return IndexExpr(*Column::map(*first, *second, addExact), a.shape);
}

/// `term` without the lanes that only count within a step of `step`: such is
/// `16 * i + j < 64`, for j below 16, as `i < 4`.
static std::optional<IndexExpr> inSteps(const IndexExpr &term, int64_t step) {
  auto isWhole = [&](auto &entry) { return entry.second % step == 0; };
  bool symbolic = llvm::any_of(term.symbols, [&](auto &entry) { return entry.second.factor % step != 0; });
  if (!term.wraps.empty() || symbolic || !llvm::all_of(term.loops, isWhole))
    return std::nullopt;
  auto rest = Column::map(term.base, step, [](int64_t value, int64_t step) {
    return std::optional<int64_t>(llvm::mod(value, step));
  });
  if (!rest)
    return std::nullopt;
  int64_t low = rest->min(), high = rest->max();
  IndexExpr result = term;
  for (auto [factor, size] : llvm::zip(result.lanes, term.shape)) {
    if (factor % step == 0)
      continue;
    (factor < 0 ? low : high) += factor * (size - 1);
    factor = 0;
  }
  int64_t whole = llvm::divideFloorSigned(low, step);
  if (result.lanes == term.lanes || whole != llvm::divideFloorSigned(high, step))
    return std::nullopt;
  auto base = Column::map(term.base, *rest, [&](int64_t value, int64_t within) {
    return std::optional<int64_t>(value - within + whole * step);
  });
  if (!base)
    return std::nullopt;
  result.base = *base;
  return result;
}

Condition simplify(const Condition &condition, const LoopExtents &loops) {
  Condition kept = {{}, condition.implied, condition.partial};
  for (IndexExpr term : condition.terms) {
    for (int64_t factor : SmallVector<int64_t>(term.lanes))
      if (factor != 0)
        term = inSteps(term, std::abs(factor)).value_or(term);
    auto range = rangeOf(term, loops);
    if (range && range->high < 0)
      return {{IndexExpr(-1, term.shape)}};
    auto &terms = range && range->low >= 0 ? kept.implied : kept.terms;
    if (!llvm::is_contained(terms, term))
      terms.push_back(term);
  }
  return kept;
}

bool isNever(const Condition &condition) {
  return condition.terms.size() == 1 && condition.terms[0].constant() == -1;
}

std::optional<Condition> negationOf(const Condition &condition) {
  if (condition.partial || condition.terms.size() != 1)
    return std::nullopt;
  MaybeIndex negative = scale(condition.terms[0], -1);
  if (negative)
    negative = add(*negative, IndexExpr(-1, negative->shape));
  return negative ? std::optional(Condition{{*negative}}) : std::nullopt;
}

//===-- Operations ----------------------------------------------------------//

IndexValue OperationEvaluator::compare(arith::CmpIOp compare) {
  MaybeIndex a = asIndex(op->getOperand(0)), b = asIndex(op->getOperand(1));
  bool both = operand<IndexExpr>(0) && operand<IndexExpr>(1);
  if (!a || !b || (!both && shape.size() < 2))
    return inherit();
  for (MaybeIndex *side : {&a, &b})
    if (!(*side)->wraps.empty())
      *side = withoutWraps(**side, kernel.symbolTable());
  if (!a || !b)
    return unknown("a comparison of an index after several `%`");
  using P = arith::CmpIPredicate;
  P predicate = compare.getPredicate();
  bool isUnsigned = predicate == P::ult || predicate == P::ule ||
                    predicate == P::ugt || predicate == P::uge;
  auto nonNegative = [&](const IndexExpr &x) {
    auto range = rangeOf(x, loops);
    return range && range->low >= 0;
  };
  if (isUnsigned && !(nonNegative(*a) && nonNegative(*b)))
    return unknown("an unsigned comparison of values that may be negative");
  /// x - y - margin >= 0.
  auto atLeast = [&](const IndexExpr &x, const IndexExpr &y,
                     int64_t margin) -> MaybeIndex {
    MaybeIndex difference = subtract(x, y);
    return difference ? add(*difference, IndexExpr(-margin, difference->shape))
                      : std::nullopt;
  };
  std::vector<MaybeIndex> terms;
  switch (predicate) {
  case P::slt:
  case P::ult:
    terms = {atLeast(*b, *a, 1)};
    break;
  case P::sle:
  case P::ule:
    terms = {atLeast(*b, *a, 0)};
    break;
  case P::sgt:
  case P::ugt:
    terms = {atLeast(*a, *b, 1)};
    break;
  case P::sge:
  case P::uge:
    terms = {atLeast(*a, *b, 0)};
    break;
  case P::eq:
  case P::ne:
    terms = {atLeast(*a, *b, 0), atLeast(*b, *a, 0)};
    break;
  }
  Condition condition;
  for (MaybeIndex &term : terms) {
    if (!term)
      return unknown("a comparison that overflows 64 bits");
    condition.terms.push_back(*term);
  }
  condition = simplify(condition, loops);
  return predicate == P::ne ? negated(condition) : IndexValue(condition);
}

/// The negation where it is again a conjunction.
IndexValue OperationEvaluator::negated(const Condition &condition) {
  if (condition.isAlways())
    return Condition{{IndexExpr(-1, shape)}};
  if (isNever(condition))
    return Condition{};
  if (condition.partial)
    return unknown("the negation of a mask that depends on data");
  if (auto column = columnOf(condition))
    return Condition{{IndexExpr(*Column::map(*column, -1,
                                             [](int64_t holds, int64_t) {
                                               return std::optional<int64_t>(
                                                   holds ? -1 : 0);
                                             }),
                                condition.terms[0].shape)}};
  auto negative = negationOf(condition);
  return negative ? IndexValue(*negative)
                  : unknown("the negation of a mask that is not a single "
                            "comparison");
}

/// `andi`, `ori` and `xori` of masks or of integers.
IndexValue OperationEvaluator::logical() {
  auto *a = operand<Condition>(0), *b = operand<Condition>(1);
  bool masks = getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1);
  if (masks && isa<arith::AndIOp>(op) && bool(a) != bool(b)) {
    // What is known of a mask still bounds what is read.
    Condition known = a ? *a : *b;
    if (!isNever(known))
      known.partial = true;
    return known;
  }
  if (!a || !b)
    return binary([&](const IndexExpr &x, const IndexExpr &y) {
      return perProgram(x, y);
    });
  if (isa<arith::AndIOp>(op)) {
    Condition both = *a;
    llvm::append_range(both.terms, b->terms);
    llvm::append_range(both.implied, b->implied);
    both.partial |= b->partial;
    return simplify(both, loops);
  }
  if (isa<arith::XOrIOp>(op)) {
    for (auto [x, y] : {std::pair(a, b), std::pair(b, a)}) {
      if (x->isAlways())
        return negated(*y);
      if (isNever(*x))
        return *y;
    }
    return unknown("an exclusive or of masks");
  }
  for (auto [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (x->isAlways() || isNever(*y))
      return *x;
  }
  if (a->terms == b->terms && a->partial == b->partial && !a->partial)
    return *a;
  auto x = columnOf(*a), y = columnOf(*b);
  if (x && y)
    return simplify(
        Condition{{IndexExpr(*Column::map(*x, *y,
                                          [](int64_t p, int64_t q) {
                                            return std::optional<int64_t>(
                                                (p || q) - 1);
                                          }),
                             shape)}},
        loops);
  return unknown("an `or` of masks");
}

/// `tl.where(i < n, i, other)` with the other value below n too: such lanes
/// read something, which only masked stores may follow.
MaybeIndex OperationEvaluator::clamped(const Condition &condition,
                                       const IndexExpr &a, const IndexExpr &b) {
  if (condition.partial || condition.terms.size() != 1)
    return std::nullopt;
  MaybeIndex sum = add(condition.terms[0], a);
  auto last = sum ? sum->constant() : std::nullopt;
  auto range = rangeOf(a, loops), other = rangeOf(b, loops);
  if (!last || *last < 0 || !range || range->low < 0 || !other ||
      other->low < 0 || other->high > *last || !a.wraps.empty())
    return std::nullopt;
  IndexExpr result(0, a.shape);
  result.wraps.push_back(
      {1, std::make_shared<const IndexExpr>(a), *last + 1, /*clamps=*/true});
  return result;
}

IndexValue OperationEvaluator::select() {
  auto *condition = operand<Condition>(0);
  if (!condition)
    return inherit();
  if (condition->isAlways())
    return kernel.at(op->getOperand(1));
  if (isNever(*condition))
    return kernel.at(op->getOperand(2));
  auto *a = operand<IndexExpr>(1), *b = operand<IndexExpr>(2);
  if (a && b)
    if (MaybeIndex kept = clamped(*condition, *a, *b))
      return *kept;
  auto which = columnOf(*condition);
  if (!a || !b || !which || !a->isColumn() || !b->isColumn())
    return unknown("a choice between values by a condition that varies");
  return choose(*which, *a, *b);
}

} // namespace drawloom::tt
