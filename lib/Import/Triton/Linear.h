// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear forms over the indices of a tile program, and what bounds say of them.

#ifndef DRAWLOOM_IMPORT_TRITON_LINEAR_H
#define DRAWLOOM_IMPORT_TRITON_LINEAR_H

#include "GridBox.h"
#include "IndexExpr.h"

namespace drawloom::tt {

/// constant + sum factors[v] * variable v. Variables are the dimensions of the
/// grid, then the kernel's loops by number, then the lane axes of an access.
struct Linear {
  int64_t constant = 0;
  llvm::SmallVector<int64_t> factors;

  bool operator==(const Linear &other) const = default;
};

/// Converts expressions, once the grid is known.
class Linearizer {
public:
  Linearizer(const GridBox &box, const LoopExtents &loops)
      : box(box), loops(loops) {}

  /// Only for expressions whose base is affine on the box.
  Linear operator()(const IndexExpr &value) const { return *attempt(value); }
  /// Nothing when the base is not affine on the box.
  std::optional<Linear> attempt(const IndexExpr &value) const;
  /// How many values each variable takes, for lanes of `shape`.
  llvm::SmallVector<int64_t> extents(llvm::ArrayRef<int64_t> shape) const;
  unsigned loopStart() const { return box.extents().size(); }
  unsigned laneStart() const { return box.extents().size() + loops.size(); }

private:
  const GridBox &box;
  const LoopExtents &loops;
};

/// Greatest and least value of `form` where every bound is at least zero, each
/// bound used on its own: never too narrow.
int64_t greatest(const Linear &form, llvm::ArrayRef<int64_t> extents,
                 llvm::ArrayRef<Linear> bounds);
int64_t least(const Linear &form, llvm::ArrayRef<int64_t> extents,
              llvm::ArrayRef<Linear> bounds);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_LINEAR_H
