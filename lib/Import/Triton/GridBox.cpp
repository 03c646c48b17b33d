// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The box of programs behind a launch order.

#include "GridBox.h"

#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <numeric>

using namespace llvm;

namespace drawloom::tt {
namespace {

constexpr size_t kMaxCandidates = 24;
constexpr size_t kMaxDimensions = 5;

std::vector<Column> distinctDigits(ArrayRef<Column> candidates) {
  std::vector<Column> digits;
  for (const Column &candidate : candidates) {
    if (candidate.isUniform() || digits.size() == kMaxCandidates)
      continue;
    auto digit = GridBox::asDigit(candidate);
    if (digit && !is_contained(digits, *digit))
      digits.push_back(*digit);
  }
  return digits;
}

/// Calls `visit` on subsets of `digits` whose extents multiply to `programs`,
/// small subsets first, until it returns true.
bool forEachBox(ArrayRef<Column> digits, size_t programs,
                function_ref<bool(ArrayRef<const Column *>)> visit) {
  SmallVector<const Column *> chosen;
  std::function<bool(size_t, size_t, size_t)> choose =
      [&](size_t from, size_t left, size_t rest) {
        if (left == 0)
          return rest == 1 && visit(chosen);
        for (size_t i = from; i < digits.size(); ++i) {
          size_t extent = digits[i].max() + 1;
          if (rest % extent)
            continue;
          chosen.push_back(&digits[i]);
          bool found = choose(i + 1, left - 1, rest / extent);
          chosen.pop_back();
          if (found)
            return true;
        }
        return false;
      };
  for (size_t size = 1; size <= kMaxDimensions; ++size)
    if (choose(0, size, programs))
      return true;
  return false;
}

} // namespace

std::optional<Column> GridBox::asDigit(const Column &column) {
  int64_t step = 0;
  for (size_t p = 0; p < column.size(); ++p)
    step = std::gcd(step, column[p] - column.min());
  if (step == 0 ||
      (column.max() - column.min()) / step >= int64_t(column.size()))
    return std::nullopt;
  std::vector<int64_t> values(column.size());
  std::vector<bool> seen((column.max() - column.min()) / step + 1);
  for (size_t p = 0; p < column.size(); ++p) {
    values[p] = (column[p] - column.min()) / step;
    seen[values[p]] = true;
  }
  if (!all_of(seen, [](bool b) { return b; }))
    return std::nullopt;
  return Column::of(std::move(values));
}

/// Whether the digits reach every point of their box once.
bool GridBox::build(size_t count, ArrayRef<const Column *> chosen) {
  programs = count;
  sizes.clear(), digits.clear(), steps.assign(chosen.size(), 0);
  for (const Column *digit : chosen) {
    digits.push_back(*digit);
    sizes.push_back(digit->max() + 1);
  }
  std::vector<bool> seen(programs);
  for (size_t program = 0; program < programs; ++program) {
    size_t point = 0, sum = 0, last = 0;
    for (auto [d, digit] : enumerate(digits)) {
      point = point * sizes[d] + digit[program];
      sum += digit[program];
      last = digit[program] == 1 ? d : last;
    }
    if (seen[point])
      return false;
    seen[point] = true;
    if (sum == 0)
      origin = program;
    if (sum == 1)
      steps[last] = program;
  }
  return true;
}

std::optional<AffineColumn> GridBox::fit(const Column &column) const {
  AffineColumn fitted = {column[origin], {}};
  for (size_t step : steps)
    fitted.factors.push_back(column.isUniform() || digits.empty()
                                 ? 0
                                 : column[step] - column[origin]);
  if (column.isUniform())
    return fitted;
  for (size_t program = 0; program < programs; ++program) {
    int64_t value = fitted.constant;
    for (auto [digit, factor] : zip(digits, fitted.factors))
      value += digit[program] * factor;
    if (value != column[program])
      return std::nullopt;
  }
  return fitted;
}

std::optional<GridBox> GridBox::find(size_t programs, ArrayRef<Column> targets,
                                     ArrayRef<Column> candidates,
                                     const Column &order) {
  GridBox box;
  if (programs == 1) {
    Column point(0);
    box.build(1, {&point});
    return box;
  }
  std::vector<Column> digits = distinctDigits(candidates);
  bool found =
      forEachBox(digits, programs, [&](ArrayRef<const Column *> chosen) {
        return box.build(programs, chosen) &&
               all_of(targets, [&](const Column &target) {
                 return box.fit(target).has_value();
               });
      });
  if (!found)
    return std::nullopt;
  if (auto fitted = box.fit(order)) {
    SmallVector<unsigned> ranks = to_vector(seq<unsigned>(box.digits.size()));
    sort(ranks, [&](unsigned a, unsigned b) {
      return std::pair(-std::abs(fitted->factors[a]), a) <
             std::pair(-std::abs(fitted->factors[b]), b);
    });
    SmallVector<Column> sorted;
    SmallVector<const Column *> pointers;
    for (unsigned rank : ranks)
      sorted.push_back(box.digits[rank]);
    for (const Column &digit : sorted)
      pointers.push_back(&digit);
    box.build(programs, pointers);
  }
  return box;
}

} // namespace drawloom::tt
