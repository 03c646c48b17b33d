// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An integer for every program of a launch.

#include "Column.h"

#include <algorithm>

namespace drawloom::tt {

Column Column::of(std::vector<int64_t> values) {
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  Column column(*low);
  column.high = *high;
  if (column.low != column.high)
    column.values =
        std::make_shared<const std::vector<int64_t>>(std::move(values));
  return column;
}

bool Column::operator==(const Column &other) const {
  if (low != other.low || high != other.high ||
      isUniform() != other.isUniform())
    return false;
  return values == other.values || *values == *other.values;
}

std::optional<Column> Column::map(
    const Column &a, const Column &b,
    llvm::function_ref<std::optional<int64_t>(int64_t, int64_t)> function) {
  std::vector<int64_t> result(std::max(a.size(), b.size()));
  for (size_t program = 0; program < result.size(); ++program) {
    std::optional<int64_t> value = function(a[program], b[program]);
    if (!value)
      return std::nullopt;
    result[program] = *value;
  }
  return of(std::move(result));
}

std::optional<int64_t> addExact(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt
                                               : std::optional(result);
}

std::optional<int64_t> multiplyExact(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt
                                               : std::optional(result);
}

} // namespace drawloom::tt
