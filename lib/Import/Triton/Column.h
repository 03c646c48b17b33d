// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An integer for every program of a launch.

#ifndef DRAWLOOM_IMPORT_TRITON_COLUMN_H
#define DRAWLOOM_IMPORT_TRITON_COLUMN_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace drawloom::tt {

/// The value of one scalar in every program of the launch, programs in launch
/// order (axis x fastest). Evaluating program ids instead of matching the
/// arithmetic on them is what lets any launch order be undone.
class Column {
public:
  Column(int64_t uniform = 0) : low(uniform), high(uniform) {}

  /// One value per program; collapses when they are all equal.
  static Column of(std::vector<int64_t> values);

  bool isUniform() const { return !values; }
  int64_t operator[](size_t program) const {
    return values ? (*values)[program] : low;
  }
  int64_t min() const { return low; }
  int64_t max() const { return high; }
  /// The number of programs; 1 when uniform.
  size_t size() const { return values ? values->size() : 1; }

  bool operator==(const Column &other) const;

  /// Combines two columns value by value; nothing when `function` gives nothing
  /// for some program (division by zero, overflow).
  static std::optional<Column>
  map(const Column &a, const Column &b,
      llvm::function_ref<std::optional<int64_t>(int64_t, int64_t)> function);

private:
  std::shared_ptr<const std::vector<int64_t>> values;
  int64_t low, high;
};

/// `a + b` and `a * b`, nothing on overflow.
std::optional<int64_t> addExact(int64_t a, int64_t b);
std::optional<int64_t> multiplyExact(int64_t a, int64_t b);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_COLUMN_H
