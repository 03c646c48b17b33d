// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows and columns from flat addresses: divides them by the strides they show.

#include "Arrays.h"

#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace drawloom::tt {
namespace {

using Strides = std::set<int64_t, std::greater<int64_t>>;

/// One access while its address is taken apart.
class Splitter {
public:
  Splitter(ArrayAccess &access, unsigned symbolStart, unsigned laneStart,
           bool stepsByMasks)
      : access(access), symbolStart(symbolStart), laneStart(laneStart),
        stepsByMasks(stepsByMasks) {
    unit = unitLane();
  }

  /// Every lane axis, and every symbol that no mask ties to one, walks a
  /// dimension of its own stride. `withDigits`: also quotients and remainders,
  /// several of which may walk one. So may several integers from memory: no
  /// one says that one of them ends where another steps.
  void addLaneStrides(Strides &strides, bool withDigits) const {
    for (unsigned v = symbolStart; v < access.address.factors.size(); ++v)
      if (factor(v) && !isTiedSymbol(v) && !stepsOverAnother(v) &&
          (withDigits || !isDigit(v)))
        strides.insert(strideOf(v));
  }
  /// Adds strides for the programs and loops that walk no lane's dimension.
  void addOwnStrides(Strides &strides);
  void settle(ArrayRef<int64_t> strides);
  /// Whether a lane axis walks a dimension of one element.
  bool hasUnit() const { return unit.has_value(); }
  /// Adds the strides of dimensions that something walks.
  void addWalked(Strides &walked) const {
    for (auto [variable, stride] : home)
      walked.insert(stride);
  }
  /// `withUnit`: the array has a dimension of one element after `strides`, of
  /// which `walked` are not only stepped by constants.
  void setSubscripts(ArrayRef<int64_t> strides, const Strides &walked,
                     bool withUnit);

private:
  int64_t factor(unsigned variable) const {
    return access.extents[variable] > 1 && variable != unit
               ? access.address.factors[variable]
               : 0;
  }
  /// The stride of the dimension that a lane or symbol walks alone.
  int64_t strideOf(unsigned variable) const;
  bool isDigit(unsigned variable) const {
    return variable >= symbolStart && variable < laneStart &&
           access.extents[variable] < Linearizer::kOpen;
  }
  bool isFromMemory(unsigned variable) const {
    return variable >= symbolStart && variable < laneStart &&
           !isDigit(variable);
  }
  bool stepsOverAnother(unsigned symbol) const;
  bool isKnownEnd(const Linear &fact, unsigned symbol) const;
  bool isPinned(unsigned lane) const;
  std::optional<unsigned> unitLane() const;
  std::optional<int64_t> tiedStride(unsigned variable) const;
  bool isTiedSymbol(unsigned variable) const;
  bool isBounded(int64_t stride) const;
  int64_t reach(int64_t stride, const Strides &strides) const;
  std::optional<int64_t> joined(unsigned variable,
                                const Strides &strides) const;
  bool takeConstantsByMasks(ArrayRef<int64_t> strides);
  void divideConstants(ArrayRef<int64_t> strides, const Strides &walked);

  ArrayAccess &access;
  unsigned symbolStart, laneStart;
  bool stepsByMasks;
  std::optional<unsigned> unit;
  /// The stride of the dimension each variable walks.
  std::map<unsigned, int64_t> home;
  /// Programs and loops that no mask ties to a lane.
  SmallVector<unsigned> free;
};

} // namespace

/// Steps of several elements may be a stride, or be steps through a dimension of
/// a smaller one: masks that compare `2 * lane` say the latter.
int64_t Splitter::strideOf(unsigned variable) const {
  int64_t stride = std::abs(factor(variable));
  if (stepsByMasks)
    for (const Linear &fact : access.facts) {
      int64_t step = std::abs(fact.factors[variable]);
      if (step > 1 && stride % step == 0)
        return stride / step;
    }
  return stride;
}

/// Whether an integer from memory moves by a multiple of what another moves by.
bool Splitter::stepsOverAnother(unsigned symbol) const {
  int64_t step = std::abs(factor(symbol));
  for (unsigned other = symbolStart; other < laneStart; ++other)
    if (int64_t small = std::abs(factor(other));
        small && small < step && step % small == 0 && isFromMemory(symbol) &&
        isFromMemory(other))
      return true;
  return false;
}

/// Whether masks leave only lane 0 of an axis.
bool Splitter::isPinned(unsigned lane) const {
  Linear form = {0, SmallVector<int64_t>(access.address.factors.size(), 0)};
  form.factors[lane] = 1;
  return greatest(form, access.extents, access.facts) == 0;
}

/// In a matrix of one column, rows and columns have the same stride: the axis
/// that masks pin to 0 is the one that walks no elements.
std::optional<unsigned> Splitter::unitLane() const {
  for (unsigned v = laneStart; v < access.address.factors.size(); ++v)
    for (unsigned u = laneStart; u < v; ++u)
      if (factor(v) && std::abs(factor(u)) == std::abs(factor(v)))
        return isPinned(v)   ? std::optional(v)
               : isPinned(u) ? std::optional(u)
                             : std::nullopt;
  return std::nullopt;
}

/// Whether a mask ends what an integer from memory walks, and memory says
/// nothing else of where.
bool Splitter::isKnownEnd(const Linear &fact, unsigned symbol) const {
  if (fact.factors[symbol] >= 0)
    return false;
  for (unsigned other = symbolStart; other < laneStart; ++other)
    if (other != symbol && fact.factors[other] && isFromMemory(other))
      return false;
  return true;
}

/// A mask that compares `block * i + lane` says i and the lane walk one
/// dimension, if the address has them in the same proportion.
std::optional<int64_t> Splitter::tiedStride(unsigned variable) const {
  for (const Linear &fact : access.facts) {
    if (isFromMemory(variable) && !isKnownEnd(fact, variable))
      continue;
    for (unsigned lane = laneStart; lane < access.address.factors.size();
         ++lane)
      if (fact.factors[variable] && fact.factors[lane] && factor(lane) &&
          __int128(fact.factors[variable]) * factor(lane) ==
              __int128(fact.factors[lane]) * factor(variable))
        return strideOf(lane);
  }
  return std::nullopt;
}

/// Whether a variable is a quotient or remainder of an index, or an integer from
/// memory, that a mask ties to a lane.
bool Splitter::isTiedSymbol(unsigned variable) const {
  return variable >= symbolStart && variable < laneStart && tiedStride(variable);
}

/// Whether some mask speaks of a lane that walks the dimension.
bool Splitter::isBounded(int64_t stride) const {
  for (unsigned lane = laneStart; lane < access.address.factors.size(); ++lane)
    if (factor(lane) && strideOf(lane) == stride &&
        any_of(access.facts,
               [&](const Linear &fact) { return fact.factors[lane] != 0; }))
      return true;
  return false;
}

/// One past the greatest subscript that what walks the dimension so far gives.
/// Integers from memory stay within a dimension by the program's own word.
int64_t Splitter::reach(int64_t stride, const Strides &strides) const {
  Linear form = {0, SmallVector<int64_t>(access.address.factors.size(), 0)};
  int64_t rest = access.address.constant;
  for (int64_t larger : strides) {
    form.constant = rest / larger;
    rest %= larger;
    if (larger == stride)
      break;
  }
  for (auto [variable, at] : home)
    if (at == stride && (variable < symbolStart || variable >= laneStart ||
                         isTiedSymbol(variable)))
      form.factors[variable] = factor(variable) / stride;
  return greatest(form, access.extents, access.facts) + 1;
}

/// The dimension a program or loop index joins though nothing ties it: the one
/// it continues without a gap, or overlaps.
std::optional<int64_t> Splitter::joined(unsigned variable,
                                        const Strides &strides) const {
  int64_t step = std::abs(factor(variable));
  auto below = strides.lower_bound(step); // greatest stride that is not above
  if (below == strides.end() || step % *below)
    return std::nullopt;
  if (*below == step)
    return step;
  int64_t end = reach(*below, strides), start = step / *below;
  if (end >= Linearizer::kOpen / 2) // only memory knows how far it goes
    return std::nullopt;
  if (start < end || (start == end && !isBounded(*below)))
    return *below;
  // From where memory says on, as far as it says.
  bool isOpen = access.extents[variable] >= Linearizer::kOpen;
  if (isOpen && any_of(home, [&](auto entry) {
        auto [other, at] = entry;
        return at == *below && isFromMemory(other);
      }))
    return *below;
  return std::nullopt;
}

void Splitter::addOwnStrides(Strides &strides) {
  for (unsigned v = symbolStart; v < access.address.factors.size(); ++v)
    if (factor(v))
      home[v] = isTiedSymbol(v) ? *tiedStride(v) : strideOf(v);
  for (unsigned v = 0; v < symbolStart; ++v) {
    if (!factor(v))
      continue;
    if (auto stride = tiedStride(v))
      home[v] = *stride;
    else
      free.push_back(v);
  }
  sort(free, [&](unsigned a, unsigned b) {
    return std::pair(std::abs(factor(a)), a) <
           std::pair(std::abs(factor(b)), b);
  });
  for (unsigned v : free) {
    home[v] = joined(v, strides).value_or(std::abs(factor(v)));
    strides.insert(home[v]);
  }
}

/// What joined a dimension moves to a larger one that another access shows: all
/// accesses see the array alike. What walked one that is none moves to a smaller.
void Splitter::settle(ArrayRef<int64_t> strides) {
  for (auto &[variable, at] : home)
    if (!is_contained(strides, at))
      at = *find_if(strides, [&, at = at](int64_t stride) {
        return stride < at && at % stride == 0;
      });
  for (unsigned v : free) {
    int64_t step = std::abs(factor(v));
    auto fits = find_if(strides, [&](int64_t stride) {
      return stride <= step && step % stride == 0;
    });
    if (fits != strides.end())
      home[v] = *fits;
  }
}

/// The neighbours of a window (a row up and an element on is `-pitch + 1`): takes
/// the constants with which masks keep every subscript but the first within its
/// row. Whether there are such.
bool Splitter::takeConstantsByMasks(ArrayRef<int64_t> strides) {
  SmallVector<int64_t> constants(strides.size(), 0);
  int64_t rest = access.address.constant;
  for (size_t d = strides.size(); d-- > 0;) {
    if (rest % strides[d])
      return false;
    constants[d] = rest / strides[d];
    if (d == 0)
      break;
    if (strides[d - 1] % strides[d])
      return false;
    int64_t row = strides[d - 1] / strides[d];
    const Linear &form = access.subscripts[d];
    int64_t low = least(form, access.extents, access.facts);
    int64_t high = greatest(form, access.extents, access.facts);
    if (low > high || high - low >= row)
      return false;
    constants[d] -= row * divideFloorSigned(constants[d] + low, row);
    if (constants[d] + high >= row)
      return false;
    rest -= constants[d] * strides[d];
  }
  for (auto [subscript, constant] : zip(access.subscripts, constants))
    subscript.constant = constant;
  return true;
}

void Splitter::divideConstants(ArrayRef<int64_t> strides, const Strides &walked) {
  int64_t rest = access.address.constant;
  for (auto [subscript, stride] : zip(access.subscripts, strides)) {
    // What only constants step through has no lanes before its start.
    bool isLastWalked = walked.upper_bound(stride) == walked.end();
    subscript.constant =
        isLastWalked ? divideFloorSigned(rest, stride) : rest / stride;
    rest -= subscript.constant * stride;
  }
}

void Splitter::setSubscripts(ArrayRef<int64_t> strides, const Strides &walked,
                             bool withUnit) {
  access.subscripts.assign(
      strides.size(),
      {0, SmallVector<int64_t>(access.address.factors.size(), 0)});
  for (auto [d, stride] : enumerate(strides))
    for (auto [variable, at] : home)
      if (at == stride)
        access.subscripts[d].factors[variable] = factor(variable) / stride;
  if (!takeConstantsByMasks(strides))
    divideConstants(strides, walked);
  if (!withUnit)
    return;
  access.subscripts.push_back(
      {0, SmallVector<int64_t>(access.address.factors.size(), 0)});
  if (unit)
    access.subscripts.back().factors[*unit] = 1;
}

SmallVector<int64_t> splitAddresses(MutableArrayRef<ArrayAccess *> accesses,
                                    unsigned symbolStart, unsigned laneStart,
                                    const std::set<int64_t> &joined,
                                    bool stepsByMasks) {
  Strides strides, ofLanes, walked;
  std::vector<Splitter> splitters;
  for (ArrayAccess *access : accesses) {
    splitters.emplace_back(*access, symbolStart, laneStart, stepsByMasks);
    splitters.back().addLaneStrides(strides, /*withDigits=*/true);
    splitters.back().addLaneStrides(ofLanes, /*withDigits=*/false);
  }
  for (Splitter &splitter : splitters)
    splitter.addOwnStrides(strides);
  for (Splitter &splitter : splitters)
    splitter.addWalked(walked);
  auto leavesRest = [&](ArrayAccess *access) {
    return strides.empty() || access->address.constant % *strides.rbegin();
  };
  if (any_of(accesses, leavesRest))
    strides.insert(1);
  for (int64_t stride : joined) {
    // Two lane axes of one access walk two dimensions.
    bool isFree =
        !ofLanes.count(stride) || walked.upper_bound(stride) == walked.end();
    if (isFree && any_of(strides, [&](int64_t smaller) {
          return smaller < stride && stride % smaller == 0;
        }))
      strides.erase(stride);
  }
  SmallVector<int64_t> sorted(strides.begin(), strides.end());
  bool withUnit =
      any_of(splitters, [](const Splitter &s) { return s.hasUnit(); });
  walked.clear();
  for (Splitter &splitter : splitters) {
    splitter.settle(sorted);
    splitter.addWalked(walked);
  }
  for (Splitter &splitter : splitters)
    splitter.setSubscripts(sorted, walked, withUnit);
  if (withUnit)
    sorted.push_back(1);
  return sorted;
}

} // namespace drawloom::tt
