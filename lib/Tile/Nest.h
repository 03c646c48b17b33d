// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The indices around an access as integer points, and questions about them.

#ifndef DRAWLOOM_LIB_TILE_NEST_H
#define DRAWLOOM_LIB_TILE_NEST_H

#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallBitVector.h"

namespace drawloom::tile {

/// A set of integer points: the conjunction of `expr >= 0` and `expr == 0`.
struct Points {
  unsigned dims = 0;
  llvm::SmallVector<mlir::AffineExpr> nonNegative;
  llvm::SmallVector<mlir::AffineExpr> zero;

  /// Some point of the set; nothing when it is empty. Exact.
  std::optional<llvm::SmallVector<int64_t>> find() const;
};

/// Grid indices, loop variables and integers that come from memory, each one
/// dimension of an affine space. Nothing is known of an integer from memory.
class Nest {
public:
  explicit Nest(mlir::MLIRContext *context) : context(context) {}

  /// Adds the grid, the loops and the conditions around `op`, outermost first,
  /// and the integers from memory that they and `op` use. Fails, with an error
  /// at the loop, when a loop's bounds are not affine in these.
  mlir::LogicalResult enter(mlir::Operation *op);

  /// An index value as an affine expression over the nest; null when it is
  /// none (it multiplies indices, or is data the nest has not entered).
  mlir::AffineExpr express(mlir::Value index) const;

  unsigned size() const { return variables.size(); }
  mlir::Value variable(unsigned dim) const { return variables[dim]; }
  /// Whether a dimension is an integer from memory.
  bool isData(unsigned dim) const;
  /// Whether an expression over the nest depends on memory.
  bool dependsOnData(mlir::AffineExpr expr) const;
  /// Whether what a dimension can be depends on memory: it is an integer from
  /// there, or a loop's index that one bounds.
  bool isBoundedByData(unsigned dim) const;
  /// The values the variables take; more than those where it is not exact.
  const Points &domain() const { return points; }
  /// Whether every condition around was an affine inequality.
  bool isExact() const { return exact; }

  /// "at grid point (3, 0), loop index (4), lane (0, 31)": a point of the nest,
  /// then lanes. Integers from memory are left out.
  std::string describe(llvm::ArrayRef<int64_t> point) const;

private:
  mlir::LogicalResult enterLoop(mlir::scf::ForOp loop);
  void enterBranch(mlir::Value condition, bool isThen);
  /// Adds the integers from memory that `index` is made of.
  void addData(mlir::Value index);
  mlir::AffineExpr add(mlir::Value variable);
  bool contains(mlir::Value value) const {
    return llvm::is_contained(variables, value);
  }
  /// `value` as the smallest (`largest`: largest) of several expressions.
  llvm::SmallVector<mlir::AffineExpr> alternatives(mlir::Value value,
                                                   bool largest) const;

  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::Value> variables;
  Points points;
  bool exact = true;
  /// Indices of loops whose bounds come from memory.
  llvm::SmallVector<mlir::Value> boundedByData;
};

/// One load or store over a nest, its lanes as dimensions from `firstLane` on.
/// A looked-up value is one more dimension, after the lanes.
struct AccessForm {
  mlir::Value array;
  unsigned firstLane, lanes;
  llvm::SmallVector<mlir::AffineExpr> subscripts;
  /// The nest's domain, the lanes that exist, and the bounds.
  Points points;
  /// Which dimensions of `points` are integers from memory.
  llvm::SmallBitVector data;

  bool dependsOnData(mlir::AffineExpr expr) const;
};

/// The operands, map and bounds of an access or mask.
struct AccessParts {
  mlir::Operation *op;
  mlir::Value array; ///< null for a mask
  mlir::ValueRange at;
  mlir::AffineMap access; ///< null for a mask
  std::optional<mlir::IntegerSet> bounds;
  llvm::ArrayRef<int64_t> shape;
  mlir::Value lookup = {}; ///< null when nothing is looked up
  int64_t axis = -1;       ///< of the lookup

  /// The place of lane axis `lane` among the dimensions of the maps.
  unsigned laneDim(unsigned lane) const {
    return at.size() + bool(lookup) + lane;
  }
};
AccessParts partsOf(LoadOp op);
AccessParts partsOf(StoreOp op);
AccessParts partsOf(ReadOp op);
AccessParts partsOf(IndexOp op);
AccessParts partsOf(MaskOp op);

/// Builds the form; `nest` must have entered the operation. Fails, with an
/// error, when an index is not affine.
mlir::FailureOr<AccessForm> formOf(const Nest &nest, const AccessParts &parts);

/// What takes the place of the dimensions of an access's maps: its indices as
/// expressions over `nest`, then `lanes` (a looked-up value first, if there is
/// one). Empty when an index is not affine.
llvm::SmallVector<mlir::AffineExpr>
replacementsOf(const Nest &nest, mlir::ValueRange at,
               llvm::ArrayRef<mlir::AffineExpr> lanes);

} // namespace drawloom::tile

#endif // DRAWLOOM_LIB_TILE_NEST_H
