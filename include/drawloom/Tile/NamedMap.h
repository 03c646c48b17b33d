// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints affine maps and sets with the names of their indices.

#ifndef DRAWLOOM_TILE_NAMEDMAP_H
#define DRAWLOOM_TILE_NAMEDMAP_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpImplementation.h"

namespace drawloom::tile {

/// Names for the dimensions of an access: the SSA names of `at`, then `v` for a
/// looked-up value, then lane names (`l` for one lane axis, `r, c` for two,
/// `l0, l1, ...` beyond).
llvm::SmallVector<std::string> accessNames(mlir::OpAsmPrinter &printer,
                                           mlir::ValueRange at,
                                           unsigned laneRank,
                                           bool looksUp = false);

/// `affine_map<(i, k, r, c) -> (128 * i + r, 64 * k + c)>`. MLIR's own parser
/// reads it back, since it takes any names.
void printMap(llvm::raw_ostream &os, mlir::AffineMap map,
              llvm::ArrayRef<std::string> names);

/// `affine_set<(i, r) : (99 - 32 * i - r >= 0)>`, read back likewise.
void printSet(llvm::raw_ostream &os, mlir::IntegerSet set,
              llvm::ArrayRef<std::string> names);

} // namespace drawloom::tile

#endif // DRAWLOOM_TILE_NAMEDMAP_H
