// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear forms over the indices of a tile program, and what bounds say of them.

#ifndef DRAWLOOM_IMPORT_TRITON_LINEAR_H
#define DRAWLOOM_IMPORT_TRITON_LINEAR_H

#include "Evaluate.h"
#include "GridBox.h"

namespace drawloom::tt {

/// constant + sum factors[v] * variable v. Variables are the dimensions of the
/// grid, then the kernel's loops by number, then its symbols (a place for each
/// lane axis they may lie along), then the lane axes of an access.
struct Linear {
  int64_t constant = 0;
  llvm::SmallVector<int64_t> factors;

  bool operator==(const Linear &other) const = default;
};

/// Converts expressions, once the grid is known.
class Linearizer {
public:
  Linearizer(const GridBox &box, const LoopExtents &loops,
             const std::vector<Symbol> &symbols)
      : box(box), loops(loops), symbols(symbols) {}

  /// How many values a variable takes that only memory bounds.
  static constexpr int64_t kOpen = int64_t(1) << 40;

  /// Only for expressions whose base is affine on the box.
  Linear operator()(const IndexExpr &value) const { return *attempt(value); }
  /// Nothing when the base is not affine on the box.
  std::optional<Linear> attempt(const IndexExpr &value) const;
  /// How many values each variable takes, for lanes of `shape`.
  llvm::SmallVector<int64_t> extents(llvm::ArrayRef<int64_t> shape) const;
  unsigned loopStart() const { return box.extents().size(); }
  unsigned symbolStart() const { return box.extents().size() + loops.size(); }
  unsigned laneStart() const {
    return symbolStart() + symbols.size() * kPlaces;
  }

  bool isSymbol(unsigned variable) const {
    return variable >= symbolStart() && variable < laneStart();
  }
  /// The symbol a variable stands for, and the axis it lies along.
  const Symbol &symbolOf(unsigned variable) const {
    return symbols[useOf(variable).number];
  }
  SymbolUse useOf(unsigned variable) const {
    unsigned place = variable - symbolStart();
    return {place / kPlaces, int(place % kPlaces) - 1};
  }
  unsigned variableOf(SymbolUse use) const {
    return symbolStart() + use.number * kPlaces + use.axis + 1;
  }
  /// Whether a form has a part that only memory bounds, or knows.
  bool dependsOnMemory(const Linear &form) const;
  /// Expressions whose least a loop's trip count is.
  std::vector<Linear> tripsOf(const LoopFacts &loop) const;
  /// What a quotient or remainder divides, for an access of `rank` lane axes.
  std::optional<Linear> innerOf(unsigned variable, unsigned rank) const;

private:
  /// No lane, or one of five axes.
  static constexpr unsigned kPlaces = 6;

  const GridBox &box;
  const LoopExtents &loops;
  const std::vector<Symbol> &symbols;
};

/// Greatest and least value of `form` where every bound is at least zero, each
/// bound used on its own: never too narrow.
int64_t greatest(const Linear &form, llvm::ArrayRef<int64_t> extents,
                 llvm::ArrayRef<Linear> bounds);
int64_t least(const Linear &form, llvm::ArrayRef<int64_t> extents,
              llvm::ArrayRef<Linear> bounds);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_LINEAR_H
