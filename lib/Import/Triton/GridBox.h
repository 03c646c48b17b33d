// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The box of programs behind a launch order.

#ifndef DRAWLOOM_IMPORT_TRITON_GRIDBOX_H
#define DRAWLOOM_IMPORT_TRITON_GRIDBOX_H

#include "Column.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace drawloom::tt {

/// A column as `constant + sum factors[d] * digit d`.
struct AffineColumn {
  int64_t constant = 0;
  llvm::SmallVector<int64_t> factors;
};

/// A full box whose points are the programs of the launch, each once.
class GridBox {
public:
  /// Finds a box on which every target is affine, its digits taken from
  /// `candidates`: scalars the kernel itself computes from its program ids.
  /// Prefers few dimensions, then candidates that come first. Dimensions are
  /// ordered by their factor in `order`, greatest first. Nothing when no box
  /// fits.
  static std::optional<GridBox> find(size_t programs,
                                     llvm::ArrayRef<Column> targets,
                                     llvm::ArrayRef<Column> candidates,
                                     const Column &order);

  /// Subtracts the least value and divides by the common step: columns that are
  /// affine-equal become equal. Nothing unless the values are then 0 to n - 1.
  static std::optional<Column> asDigit(const Column &column);

  llvm::ArrayRef<int64_t> extents() const { return sizes; }
  std::optional<AffineColumn> fit(const Column &column) const;

private:
  bool build(size_t programs, llvm::ArrayRef<const Column *> digits);

  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<Column> digits;
  /// The program at the origin, and at one step along each dimension.
  size_t origin = 0;
  llvm::SmallVector<size_t> steps;
  size_t programs = 1;
};

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_GRIDBOX_H
