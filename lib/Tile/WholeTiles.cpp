// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares an access's subscripts and bounds with the tiles of its array.

#include "drawloom/Tile/WholeTiles.h"

#include "Nest.h"
#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace drawloom::tile {
namespace {

/// One access over its nest. Dimensions are those of the nest, then the lanes.
class TileAccess {
public:
  explicit TileAccess(AccessParts parts) : parts(parts), nest(parts.op->getContext()) {}
  bool isWhole(bool isStore);

private:
  bool enter();
  bool findAxes();
  bool boundsEnd();
  bool coversTiles() const;
  /// The lane axis `expr` moves with, by `sign`; -1 for none, nothing if it
  /// moves in another way.
  std::optional<int> laneOf(AffineExpr expr, int &sign) const;
  AffineExpr withoutLanes(AffineExpr expr) const;
  AffineExpr simplify(AffineExpr expr) const {
    return simplifyAffineExpr(expr, firstLane + parts.shape.size(), 0);
  }
  /// Whether `expr` is negative at no point of the nest.
  bool isNeverNegative(AffineExpr expr) const;

  struct Axis {
    std::optional<unsigned> dim; ///< of the array
    AffineExpr base;
    SmallVector<AffineExpr> limits; ///< lanes from `base` that exist
  };

  AccessParts parts;
  Nest nest;
  unsigned firstLane = 0;
  SmallVector<AffineExpr> dims; ///< of the access's maps
  SmallVector<Axis> axes;       ///< one per lane axis
  SmallVector<AffineExpr> subscripts;
};

ArrayRef<int64_t> arrayShape(const AccessParts &parts) {
  return cast<MemRefType>(parts.array.getType()).getShape();
}

} // namespace

bool TileAccess::enter() {
  ScopedDiagnosticHandler silent(parts.op->getContext(), [](Diagnostic &) { return success(); });
  if (failed(nest.enter(parts.op)))
    return false;
  firstLane = nest.size();
  SmallVector<AffineExpr> lanes;
  for (unsigned lane = 0; lane < parts.shape.size(); ++lane)
    lanes.push_back(getAffineDimExpr(firstLane + lane, parts.op->getContext()));
  dims = replacementsOf(nest, parts.at, lanes);
  return dims.size() == parts.at.size() + lanes.size();
}

AffineExpr TileAccess::withoutLanes(AffineExpr expr) const {
  for (unsigned lane = 0; lane < parts.shape.size(); ++lane)
    expr = expr.replace(getAffineDimExpr(firstLane + lane, expr.getContext()),
                        getAffineConstantExpr(0, expr.getContext()));
  return simplify(expr);
}

std::optional<int> TileAccess::laneOf(AffineExpr expr, int &sign) const {
  AffineExpr part = simplify(expr - withoutLanes(expr));
  sign = 0;
  if (part == 0)
    return -1;
  for (unsigned lane = 0; lane < parts.shape.size(); ++lane) {
    AffineExpr dim = getAffineDimExpr(firstLane + lane, expr.getContext());
    if (part == dim || part == simplify(-dim)) {
      sign = part == dim ? 1 : -1;
      return lane;
    }
  }
  return std::nullopt;
}

bool TileAccess::isNeverNegative(AffineExpr expr) const {
  if (nest.dependsOnData(expr))
    return false;
  Points points = nest.domain();
  points.nonNegative.push_back(-1 - expr);
  return !points.find();
}

/// Subscripts: each from a multiple of 32 along one lane axis, or along none.
bool TileAccess::findAxes() {
  axes.resize(parts.shape.size());
  unsigned rank = arrayShape(parts).size();
  for (auto [dim, result] : llvm::enumerate(parts.access.getResults())) {
    AffineExpr expr = simplify(result.replaceDims(dims));
    int sign;
    auto lane = laneOf(expr, sign);
    if (!lane || sign < 0)
      return false;
    AffineExpr base = withoutLanes(expr);
    subscripts.push_back(base);
    bool inTile = dim + 2 >= rank;
    if (*lane >= 0) {
      if (!inTile || axes[*lane].dim)
        return false;
      axes[*lane].dim = dim;
      axes[*lane].base = base;
    }
    if (inTile && base.getLargestKnownDivisor() % kTileSide != 0)
      return false;
    // Where memory decides, the access is inside by the program's own word.
    if (!nest.dependsOnData(base) && !isNeverNegative(base))
      return false;
  }
  for (auto [axis, size] : llvm::zip(axes, parts.shape))
    if (!axis.dim && size > 1)
      return false;
  return true;
}

/// Bounds: lanes may be missing only at the end.
bool TileAccess::boundsEnd() {
  if (!parts.bounds)
    return true;
  for (AffineExpr constraint : parts.bounds->getConstraints()) {
    AffineExpr expr = constraint.replaceDims(dims);
    int sign;
    auto lane = laneOf(expr, sign);
    if (!lane)
      return false;
    AffineExpr rest = withoutLanes(expr);
    if (sign < 0)
      axes[*lane].limits.push_back(rest + 1);
    else if (sign > 0 && !isNeverNegative(rest))
      return false;
  }
  return true;
}

/// Whether every element of the array in the tiles touched is among the lanes.
bool TileAccess::coversTiles() const {
  ArrayRef<int64_t> shape = arrayShape(parts);
  unsigned rank = shape.size();
  for (unsigned dim = rank - std::min(rank, 2u); dim < rank; ++dim)
    if (shape[dim] > 1 && llvm::none_of(axes, [&](const Axis &axis) { return axis.dim == dim; }))
      return false;
  for (auto [axis, size] : llvm::zip(axes, parts.shape)) {
    if (!axis.dim)
      return false;
    SmallVector<AffineExpr> limits = axis.limits;
    limits.push_back(getAffineConstantExpr(size, parts.op->getContext()));
    for (AffineExpr limit : limits)
      if (simplify(limit).getLargestKnownDivisor() % kTileSide != 0 &&
          !isNeverNegative(simplify(limit - (shape[*axis.dim] - axis.base))))
        return false;
  }
  return true;
}

bool TileAccess::isWhole(bool isStore) {
  unsigned lanes = parts.shape.size();
  return lanes >= 1 && lanes <= 2 && enter() && findAxes() && boundsEnd() &&
         (!isStore || coversTiles());
}

static bool isTileElement(Type type) {
  return type.isBF16() || type.isF16() || type.isF32() || type.isInteger(32);
}

bool movesWholeTiles(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return !load.getLookup() && isTileElement(load.getArray().getType().getElementType()) &&
           TileAccess(partsOf(load)).isWhole(false);
  if (auto store = dyn_cast<StoreOp>(op))
    return !store.getLookup() && isTileElement(store.getArray().getType().getElementType()) &&
           TileAccess(partsOf(store)).isWhole(true);
  return false;
}

/// Whether a load's values are indices, which are read one by one.
static bool isLookedUp(Operation *access) {
  auto isLookup = [&](Operation *user) {
    auto load = dyn_cast<LoadOp>(user);
    auto store = dyn_cast<StoreOp>(user);
    Value lookup = load ? load.getLookup() : store ? store.getLookup() : Value();
    return lookup && lookup.getDefiningOp() == access;
  };
  return llvm::any_of(access->getUsers(), isLookup);
}

/// Whether a tile lies in tiles of the hardware as lines of a tile of more axes,
/// which it is made of or repeated for.
static bool liesInLines(Operation *access) {
  Value tile = isa<StoreOp>(access) ? access->getOperand(0) : Value(access->getResult(0));
  Form::Kind kind = Forms(access->getParentOfType<GridOp>()).of(tile).kind;
  bool isVector = cast<RankedTensorType>(tile.getType()).getRank() < 2;
  return isVector ? kind == Form::Outer : kind != Form::Block;
}

bool movesWholeTiles(ArrayOp array) {
  auto users = array.getView().getUsers();
  return !users.empty() && llvm::all_of(users, [](Operation *user) {
    return movesWholeTiles(user) && !isLookedUp(user) && !liesInLines(user);
  });
}

} // namespace drawloom::tile
