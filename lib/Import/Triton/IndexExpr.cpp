// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of a kernel as affine expressions over programs, loops and lanes.

#include "IndexExpr.h"

using namespace llvm;

namespace drawloom::tt {

bool IndexExpr::isColumn() const {
  return loops.empty() && wraps.empty() && symbols.empty() &&
         all_of(lanes, [](int64_t lane) { return lane == 0; });
}

bool IndexExpr::hasLaneSymbol() const {
  return any_of(symbols, [](auto &term) { return term.first.axis >= 0; });
}

std::optional<int64_t> IndexExpr::constant() const {
  return isColumn() && base.isUniform() ? std::optional(base.min())
                                        : std::nullopt;
}

static bool sameWrap(const Wrap &a, const Wrap &b) {
  return a.modulus == b.modulus && a.clamps == b.clamps &&
         (a.inner == b.inner || *a.inner == *b.inner);
}

bool IndexExpr::operator==(const IndexExpr &other) const {
  if (loops != other.loops || symbols != other.symbols ||
      lanes != other.lanes || shape != other.shape ||
      wraps.size() != other.wraps.size() || !(base == other.base))
    return false;
  return all_of(zip(wraps, other.wraps), [](auto pair) {
    auto &[a, b] = pair;
    return a.factor == b.factor && sameWrap(a, b);
  });
}

static bool addWrap(SmallVectorImpl<Wrap> &wraps, const Wrap &wrap) {
  auto same = find_if(wraps, [&](const Wrap &w) { return sameWrap(w, wrap); });
  if (same == wraps.end()) {
    wraps.push_back(wrap);
    return true;
  }
  auto factor = addExact(same->factor, wrap.factor);
  if (!factor)
    return false;
  same->factor = *factor;
  if (*factor == 0)
    wraps.erase(same);
  return true;
}

MaybeIndex add(const IndexExpr &a, const IndexExpr &b) {
  if (a.lanes.size() != b.lanes.size())
    return std::nullopt;
  auto base = Column::map(a.base, b.base, addExact);
  if (!base)
    return std::nullopt;
  IndexExpr sum = a;
  sum.base = *base;
  for (auto [loop, factor] : b.loops) {
    auto total = addExact(sum.loops[loop], factor);
    if (!total)
      return std::nullopt;
    sum.loops[loop] = *total;
    if (*total == 0)
      sum.loops.erase(loop);
  }
  for (auto [lane, factor] : zip(sum.lanes, b.lanes)) {
    auto total = addExact(lane, factor);
    if (!total)
      return std::nullopt;
    lane = *total;
  }
  for (const Wrap &wrap : b.wraps)
    if (!addWrap(sum.wraps, wrap))
      return std::nullopt;
  for (auto &[use, term] : b.symbols) {
    SymbolTerm &sumTerm =
        sum.symbols.try_emplace(use, SymbolTerm{0, term.extent}).first->second;
    auto total = addExact(sumTerm.factor, term.factor);
    if (!total)
      return std::nullopt;
    sumTerm.factor = *total;
    if (*total == 0)
      sum.symbols.erase(use);
  }
  return sum;
}

MaybeIndex scale(const IndexExpr &a, int64_t factor) {
  if (factor == 0)
    return IndexExpr(0, a.shape);
  IndexExpr product = a;
  bool exact = true;
  auto times = [&](int64_t &value) {
    auto result = multiplyExact(value, factor);
    exact &= result.has_value();
    value = result.value_or(0);
  };
  auto base = Column::map(a.base, factor, multiplyExact);
  if (!base)
    return std::nullopt;
  product.base = *base;
  for (auto &[loop, value] : product.loops)
    times(value);
  for (int64_t &value : product.lanes)
    times(value);
  for (Wrap &wrap : product.wraps)
    times(wrap.factor);
  for (auto &[use, term] : product.symbols)
    times(term.factor);
  return exact ? MaybeIndex(product) : std::nullopt;
}

MaybeIndex subtract(const IndexExpr &a, const IndexExpr &b) {
  MaybeIndex negative = scale(b, -1);
  return negative ? add(a, *negative) : std::nullopt;
}

MaybeIndex multiply(const IndexExpr &a, const IndexExpr &b) {
  if (auto factor = b.constant())
    return scale(a, *factor);
  if (auto factor = a.constant())
    return scale(b, *factor);
  if (!a.isColumn() || !b.isColumn())
    return std::nullopt;
  auto base = Column::map(a.base, b.base, multiplyExact);
  return base ? MaybeIndex(IndexExpr(*base, a.shape)) : std::nullopt;
}

/// Widens `range` by `factor * [0, last]`.
static bool widen(Range &range, int64_t factor, int64_t last) {
  auto span = multiplyExact(factor, last);
  auto end = span ? addExact(factor < 0 ? range.low : range.high, *span)
                  : std::nullopt;
  if (end)
    (factor < 0 ? range.low : range.high) = *end;
  return end.has_value();
}

std::optional<Range> rangeOf(const IndexExpr &a, const LoopExtents &loops) {
  Range range = {a.base.min(), a.base.max()};
  for (auto [loop, factor] : a.loops) {
    if (!loops[loop] ||
        !widen(range, factor, std::max<int64_t>(*loops[loop], 1) - 1))
      return std::nullopt;
  }
  for (auto [factor, extent] : zip(a.lanes, a.shape))
    if (!widen(range, factor, extent - 1))
      return std::nullopt;
  for (const Wrap &wrap : a.wraps)
    if (!widen(range, wrap.factor, wrap.modulus - 1))
      return std::nullopt;
  for (auto &[use, term] : a.symbols)
    if (!term.extent || !widen(range, term.factor, term.extent - 1))
      return std::nullopt;
  return range;
}

bool isModest(const IndexExpr &a, const LoopExtents &loops) {
  constexpr int64_t limit = int64_t(1) << 52;
  if (auto range = rangeOf(a, loops))
    return range->low > -limit && range->high < limit;
  return any_of(a.loops, [&](auto term) { return !loops[term.first]; }) ||
         any_of(a.symbols, [](auto &term) { return !term.second.extent; });
}

/// Splits a = divisor * quotient + remainder, each part with its own share of
/// every coefficient. Exact for floor division where 0 <= remainder < divisor.
static void split(const IndexExpr &a, int64_t divisor, IndexExpr &quotient,
                  IndexExpr &remainder) {
  auto floorDiv = [&](int64_t x) { return x / divisor - (x % divisor < 0); };
  quotient = IndexExpr(*Column::map(a.base, divisor,
                                    [&](int64_t x, int64_t) {
                                      return std::optional(floorDiv(x));
                                    }),
                       a.shape);
  remainder =
      IndexExpr(*Column::map(a.base, divisor,
                             [&](int64_t x, int64_t) {
                               return std::optional(x - divisor * floorDiv(x));
                             }),
                a.shape);
  auto share = [&](int64_t value, auto &&setQuotient, auto &&setRemainder) {
    int64_t q = floorDiv(value);
    if (q)
      setQuotient(q);
    if (value != q * divisor)
      setRemainder(value - q * divisor);
  };
  for (auto [loop, value] : a.loops)
    share(
        value, [&, loop = loop](int64_t q) { quotient.loops[loop] = q; },
        [&, loop = loop](int64_t r) { remainder.loops[loop] = r; });
  for (auto [d, value] : enumerate(a.lanes))
    share(
        value, [&, d = d](int64_t q) { quotient.lanes[d] = q; },
        [&, d = d](int64_t r) { remainder.lanes[d] = r; });
}

MaybeIndex divide(const IndexExpr &a, int64_t divisor,
                  const LoopExtents &loops) {
  auto range = rangeOf(a, loops);
  if (divisor <= 0 || !range || range->low < 0 || !a.wraps.empty() ||
      !a.symbols.empty())
    return std::nullopt;
  IndexExpr quotient, remainder;
  split(a, divisor, quotient, remainder);
  auto rest = rangeOf(remainder, loops);
  return rest && rest->high < divisor ? MaybeIndex(quotient) : std::nullopt;
}

MaybeIndex modulo(const IndexExpr &a, int64_t modulus,
                  const LoopExtents &loops) {
  auto range = rangeOf(a, loops);
  if (modulus <= 0 || !range || range->low < 0)
    return std::nullopt;
  if (range->high < modulus)
    return a;
  if (a.wraps.empty() && a.symbols.empty()) {
    IndexExpr quotient, remainder;
    split(a, modulus, quotient, remainder);
    auto rest = rangeOf(remainder, loops);
    if (rest && rest->high < modulus)
      return remainder;
  }
  IndexExpr wrapped(0, a.shape);
  wrapped.wraps.push_back({1, std::make_shared<const IndexExpr>(a), modulus});
  return wrapped;
}

std::optional<int> laneAxisOf(const IndexExpr &a) {
  int found = -1;
  auto meets = [&](int axis) {
    bool other = found >= 0 && axis >= 0 && axis != found;
    found = axis >= 0 ? axis : found;
    return other;
  };
  for (auto [axis, factor] : enumerate(a.lanes))
    if (factor && meets(int(axis)))
      return std::nullopt;
  for (auto &[use, term] : a.symbols)
    if (meets(use.axis))
      return std::nullopt;
  for (const Wrap &wrap : a.wraps) {
    auto inner = laneAxisOf(*wrap.inner);
    if (!inner || meets(*inner))
      return std::nullopt;
  }
  return found;
}

MaybeIndex findDivision(const IndexExpr &inner, int64_t divisor,
                        bool isRemainder, const std::vector<Symbol> &symbols) {
  auto axis = laneAxisOf(inner);
  if (!axis || !inner.wraps.empty())
    return std::nullopt;
  IndexExpr canonical = onOneAxis(inner, *axis);
  for (auto [number, symbol] : enumerate(symbols))
    if (symbol.inner && symbol.divisor == divisor &&
        symbol.isRemainder == isRemainder && *symbol.inner == canonical) {
      IndexExpr result(0, inner.shape);
      result.symbols[{unsigned(number), *axis}] = {1, symbol.extent};
      return result;
    }
  return std::nullopt;
}

MaybeIndex withoutWraps(const IndexExpr &a,
                        const std::vector<Symbol> &symbols) {
  IndexExpr sum = a;
  sum.wraps.clear();
  for (const Wrap &wrap : a.wraps) {
    MaybeIndex rest =
        wrap.clamps ? std::nullopt
                    : findDivision(*wrap.inner, wrap.modulus, true, symbols);
    MaybeIndex term = rest ? scale(*rest, wrap.factor) : std::nullopt;
    MaybeIndex total = term ? add(sum, *term) : std::nullopt;
    if (!total)
      return std::nullopt;
    sum = *total;
  }
  return sum;
}

IndexExpr onOneAxis(const IndexExpr &a, int axis) {
  return axis < 0 ? moveLanes(a, {}, {})
                  : moveLanes(a, {a.shape[axis]}, {int64_t(axis)});
}

IndexExpr moveLanes(const IndexExpr &a, ArrayRef<int64_t> shape,
                    ArrayRef<int64_t> from) {
  IndexExpr moved(a.base, shape);
  moved.loops = a.loops;
  for (auto [d, axis] : enumerate(from))
    if (axis >= 0 && a.shape[axis] > 1)
      moved.lanes[d] = a.lanes[axis];
  for (const Wrap &wrap : a.wraps) {
    auto inner =
        std::make_shared<const IndexExpr>(moveLanes(*wrap.inner, shape, from));
    moved.wraps.push_back({wrap.factor, inner, wrap.modulus, wrap.clamps});
  }
  for (auto &[use, term] : a.symbols) {
    auto to = use.axis < 0 ? from.end() : find(from, int64_t(use.axis));
    int axis = to == from.end() ? -1 : int(to - from.begin());
    moved.symbols.emplace(SymbolUse{use.number, axis}, term);
  }
  return moved;
}

} // namespace drawloom::tt
