// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear forms over the indices of a tile program, and what bounds say of them.

#include "Linear.h"

using namespace llvm;

namespace drawloom::tt {

std::optional<Linear> Linearizer::attempt(const IndexExpr &value) const {
  if (!value.wraps.empty()) {
    MaybeIndex exact = withoutWraps(value, symbols);
    return exact ? attempt(*exact) : std::nullopt;
  }
  auto base = box.fit(value.base);
  if (!base)
    return std::nullopt;
  Linear form = {base->constant, base->factors};
  form.factors.resize(laneStart() + value.lanes.size(), 0);
  for (auto [loop, factor] : value.loops)
    if (loops[loop].value_or(kOpen) > 1) // a loop of one iteration is at 0
      form.factors[loopStart() + loop] = factor;
  for (auto &[use, term] : value.symbols) {
    auto &inner = symbols[use.number].inner;
    if (use.axis + 1 >= int(kPlaces) || (inner && !attempt(*inner)))
      return std::nullopt;
    form.factors[variableOf(use)] = term.factor;
  }
  for (auto [d, factor] : enumerate(value.lanes))
    form.factors[laneStart() + d] = value.shape[d] > 1 ? factor : 0;
  return form;
}

bool Linearizer::dependsOnMemory(const Linear &form) const {
  for (unsigned v = symbolStart(); v < laneStart(); ++v)
    if (form.factors[v] && !symbolOf(v).extent)
      return true;
  return false;
}

std::vector<Linear> Linearizer::tripsOf(const LoopFacts &loop) const {
  if (auto exact = attempt(loop.trips))
    return {*exact};
  std::vector<Linear> forms;
  for (const IndexExpr &alternative : loop.alternatives)
    if (auto form = attempt(alternative))
      forms.push_back(*form);
  return forms;
}

std::optional<Linear> Linearizer::innerOf(unsigned variable,
                                          unsigned rank) const {
  const IndexExpr &inner = *symbolOf(variable).inner;
  SmallVector<int64_t> from(rank, -1), shape(rank, 1);
  if (int axis = useOf(variable).axis; axis >= 0 && !inner.shape.empty())
    from[axis] = 0, shape[axis] = inner.shape[0];
  return attempt(moveLanes(inner, shape, from));
}

SmallVector<int64_t> Linearizer::extents(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> all(box.extents());
  for (std::optional<int64_t> loop : loops)
    all.push_back(std::max<int64_t>(loop.value_or(kOpen), 1));
  for (const Symbol &symbol : symbols)
    all.append(kPlaces, symbol.extent ? symbol.extent : kOpen);
  all.append(shape.begin(), shape.end());
  return all;
}

static __int128 freeMaximum(ArrayRef<__int128> factors, __int128 constant,
                            ArrayRef<int64_t> extents) {
  for (auto [factor, extent] : zip(factors, extents))
    constant += factor > 0 ? factor * (extent - 1) : 0;
  return constant;
}

/// The greatest value of scale * form + weight * bound, divided by scale: a
/// bound at least zero can only raise it.
static __int128 combinedMaximum(const Linear &form, int64_t scale,
                                const Linear &bound, int64_t weight,
                                ArrayRef<int64_t> extents) {
  SmallVector<__int128> factors;
  for (auto [f, b] : zip(form.factors, bound.factors))
    factors.push_back(__int128(f) * scale + __int128(b) * weight);
  __int128 sum = freeMaximum(factors,
                             __int128(form.constant) * scale +
                                 __int128(bound.constant) * weight,
                             extents);
  __int128 quotient = sum / scale;
  return quotient - (sum % scale < 0);
}

int64_t greatest(const Linear &form, ArrayRef<int64_t> extents,
                 ArrayRef<Linear> bounds) {
  __int128 result = combinedMaximum(form, 1, form, 0, extents);
  for (const Linear &bound : bounds)
    for (auto [f, b] : zip(form.factors, bound.factors))
      if ((f > 0 && b < 0) || (f < 0 && b > 0))
        result = std::min(result, combinedMaximum(form, std::abs(b), bound,
                                                  std::abs(f), extents));
  return int64_t(std::clamp<__int128>(result, INT64_MIN, INT64_MAX));
}

int64_t least(const Linear &form, ArrayRef<int64_t> extents,
              ArrayRef<Linear> bounds) {
  Linear negative = {-form.constant, {}};
  for (int64_t factor : form.factors)
    negative.factors.push_back(-factor);
  return -greatest(negative, extents, bounds);
}

} // namespace drawloom::tt
