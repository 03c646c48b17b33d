// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The indices around an access as integer points, and questions about them.

#ifndef DRAWLOOM_LIB_TILE_NEST_H
#define DRAWLOOM_LIB_TILE_NEST_H

#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace drawloom::tile {

/// A set of integer points: the conjunction of `expr >= 0` and `expr == 0`.
struct Points {
  unsigned dims = 0;
  llvm::SmallVector<mlir::AffineExpr> nonNegative;
  llvm::SmallVector<mlir::AffineExpr> zero;

  /// Some point of the set; nothing when it is empty. Exact.
  std::optional<llvm::SmallVector<int64_t>> find() const;
};

/// Grid indices and loop variables, each one dimension of an affine space.
class Nest {
public:
  explicit Nest(mlir::MLIRContext *context) : context(context) {}

  /// Adds the grid and the loops around `op`, outermost first. Fails, with an
  /// error at the loop, when a loop's bounds are not affine.
  mlir::LogicalResult enter(mlir::Operation *op);

  /// An index value as an affine expression over the nest; null when it is
  /// none (it depends on data, or multiplies indices).
  mlir::AffineExpr express(mlir::Value index) const;

  unsigned size() const { return variables.size(); }
  mlir::Value variable(unsigned dim) const { return variables[dim]; }
  /// The values the variables take.
  const Points &domain() const { return points; }

  /// "at grid point (3, 0), loop iteration 4, lane (0, 31)": a point of the
  /// nest, then lanes.
  std::string describe(llvm::ArrayRef<int64_t> point) const;

private:
  mlir::LogicalResult enterLoop(mlir::scf::ForOp loop);
  mlir::AffineExpr add(mlir::Value variable);
  /// `value` as the smallest (`largest`: largest) of several expressions.
  llvm::SmallVector<mlir::AffineExpr> alternatives(mlir::Value value,
                                                   bool largest) const;

  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::Value> variables;
  Points points;
};

/// One load or store over a nest, its lanes as dimensions from `firstLane` on.
struct AccessForm {
  mlir::Value array;
  unsigned firstLane, lanes;
  llvm::SmallVector<mlir::AffineExpr> subscripts;
  /// The nest's domain, the lanes that exist, and the bounds.
  Points points;
};

/// The operands, map and bounds of a load, store or mask.
struct AccessParts {
  mlir::Operation *op;
  mlir::Value array; ///< null for a mask
  mlir::ValueRange at;
  mlir::AffineMap access; ///< null for a mask
  std::optional<mlir::IntegerSet> bounds;
  llvm::ArrayRef<int64_t> shape;
};
AccessParts partsOf(LoadOp op);
AccessParts partsOf(StoreOp op);
AccessParts partsOf(MaskOp op);

/// Builds the form; `nest` must have entered the operation. Fails, with an
/// error, when an index is not affine.
mlir::FailureOr<AccessForm> formOf(const Nest &nest, const AccessParts &parts);

/// What takes the place of the dimensions of an access's maps: its indices as
/// expressions over `nest`, then `lanes`. Empty when an index is not affine.
llvm::SmallVector<mlir::AffineExpr>
replacementsOf(const Nest &nest, mlir::ValueRange at,
               llvm::ArrayRef<mlir::AffineExpr> lanes);

} // namespace drawloom::tile

#endif // DRAWLOOM_LIB_TILE_NEST_H
