// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an affine access to lines of lanes.

#include "Lanes.h"

#include "drawloom/Tile/Form.h"
#include "drawloom/Tile/Written.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {
/// What loads and stores have in common.
struct Access {
  Value array, tile;
  ValueRange at;
  AffineMap map;
  std::optional<IntegerSet> bounds;
  Value lookup;
  unsigned lookupAxis = 0;
};
} // namespace

static Access accessOf(Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return {load.getArray(),  load.getTile(),   load.getAt(), load.getAccess(),
            load.getBounds(), load.getLookup(), unsigned(load.getAxis().value_or(0))};
  if (auto read = dyn_cast<tile::ReadOp>(op))
    return {read.getArray(), {}, read.getAt(), read.getAccess(), std::nullopt, {}, 0};
  auto store = cast<tile::StoreOp>(op);
  return {store.getArray(),  store.getTile(),   store.getAt(), store.getAccess(),
          store.getBounds(), store.getLookup(), unsigned(store.getAxis().value_or(0))};
}

int64_t LaneAccess::elementBytes() const {
  return llvm::divideCeil(element().getIntOrFloatBitWidth(), 8);
}

int64_t LaneAccess::pageElements() const {
  return cast<tile::RowsAttr>(tile::ArrayOp(array).getLayoutAttr()).getElements();
}

bool LaneAccess::dependsOn(unsigned coordinate) const {
  auto depends = [&](AffineExpr expr) { return expr.isFunctionOfDim(coordinate); };
  return llvm::any_of(subscripts, depends) || llvm::any_of(constraints, depends) ||
         (lookup && lookup->dependsOn(coordinate));
}

static void addTerms(AffineExpr sum, SmallVectorImpl<AffineExpr> &terms) {
  if (sum.getKind() != AffineExprKind::Add) {
    terms.push_back(sum);
    return;
  }
  auto both = cast<AffineBinaryOpExpr>(sum);
  addTerms(both.getLHS(), terms);
  addTerms(both.getRHS(), terms);
}

/// A constraint on a quotient as one on what is divided, which moves evenly:
/// `a - l / d >= 0` is `d * a + d - 1 - l >= 0`, and `a + l / d >= 0` is `d * a + l >= 0`.
static AffineExpr withoutQuotient(AffineExpr constraint) {
  SmallVector<AffineExpr> terms;
  addTerms(constraint, terms);
  for (AffineExpr &term : terms) {
    bool falls = term.getKind() == AffineExprKind::Mul && cast<AffineBinaryOpExpr>(term).getRHS() == -1;
    AffineExpr quotient = falls ? cast<AffineBinaryOpExpr>(term).getLHS() : term;
    if (quotient.getKind() != AffineExprKind::FloorDiv)
      continue;
    AffineExpr divided = cast<AffineBinaryOpExpr>(quotient).getLHS(), by = cast<AffineBinaryOpExpr>(quotient).getRHS();
    if (!isa<AffineConstantExpr>(by))
      continue;
    AffineExpr rest = constraint - term;
    return falls ? rest * by + by - 1 - divided : rest * by + divided;
  }
  return constraint;
}

/// The axis that moves the last dimension alone, by a small step, and every
/// constraint evenly: a line is what lies between two lanes.
static void findLine(LaneAccess &lanes, const Schedule &s) {
  constexpr int64_t longestStep = 4; // beyond it more is read than used
  unsigned dims = s.size() + lanes.rank() + 1;
  AffineExpr last = lanes.subscripts.back();
  for (unsigned axis = lanes.rank(); axis-- > 0;) {
    if (lanes.lookup && lanes.lookupAxis == axis)
      continue;
    AffineExpr lane = getAffineDimExpr(s.size() + axis, s.context());
    AffineExpr next = last.replace(lane, lane + 1);
    auto step = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(next - last, dims, 0));
    bool alone = llvm::none_of(ArrayRef(lanes.subscripts).drop_back(), [&](AffineExpr expr) {
      return expr.isFunctionOfDim(s.size() + axis);
    });
    bool bounded = llvm::all_of(lanes.constraints, [&](AffineExpr constraint) {
      return isa<AffineConstantExpr>(simplifyAffineExpr(constraint.replace(lane, lane + 1) - constraint, dims, 0));
    });
    // Axes that count tiles are no lines.
    bool inTile = axis + 2 >= lanes.rank();
    if (!step || step.getValue() < 1 || step.getValue() > longestStep || !alone || !bounded || !inTile)
      continue;
    lanes.line = axis;
    lanes.step = step.getValue();
    return;
  }
}

/// Idle points and what the source leaves out reach beyond the array.
static void addArrayLimits(LaneAccess &lanes) {
  ArrayRef<int64_t> shape = lanes.view().getShape();
  for (auto [subscript, extent] : llvm::zip(lanes.subscripts, shape)) {
    lanes.constraints.push_back(subscript);
    lanes.constraints.push_back(extent - 1 - subscript);
  }
}

/// Of several axes the last two are rows and columns of tiles: where a value
/// lies otherwise, they are axes of one lane.
static SmallVector<unsigned> addSizes(LaneAccess &lanes, ArrayRef<int64_t> shape) {
  auto places = llvm::to_vector(llvm::seq<unsigned>(shape.size()));
  Form::Kind kind = lanes.form.kind;
  lanes.sizes.assign(shape.begin(), shape.end());
  if (kind != Form::Outer && (shape.size() < 2 || kind == Form::Block))
    return places;
  lanes.form.kind = Form::Block;
  if (kind == Form::Row) {
    lanes.sizes.insert(lanes.sizes.end() - 1, 1);
    ++places.back();
  } else {
    lanes.sizes.append(kind == Form::Column ? 1 : 2, 1);
  }
  return places;
}

FailureOr<LaneAccess> drawloom::task::lanesOf(const Schedule &s, Operation *op, const Form &form) {
  Access access = accessOf(op);
  LaneAccess lanes;
  lanes.array = access.array.getDefiningOp<tile::ArrayOp>();
  lanes.op = op;
  lanes.form = form;
  if (!isa_and_nonnull<tile::RowsAttr>(lanes.array.getLayoutAttr()))
    return op->emitError("moves lanes one by one, but its array lies in tiles: lay it out as #tile.rows");
  SmallVector<unsigned> places; // of the tile's axes among those of lanes
  if (access.tile)
    places = addSizes(lanes, cast<RankedTensorType>(access.tile.getType()).getShape());
  SmallVector<AffineExpr> dims;
  for (Value index : access.at) {
    auto expr = s.express(index, op);
    if (failed(expr))
      return failure();
    dims.push_back(*expr);
  }
  if (access.lookup) {
    auto load = bare(access.lookup).getDefiningOp<tile::LoadOp>();
    if (!load)
      return op->emitError("looks up values that are computed: look up what a load delivers");
    // They are read where they are used, not where the source loads them.
    if (tile::isWritten(load.getArray()))
      return op->emitError("looks up numbers of an array that the program also writes: write another array");
    Form vector = formOf(cast<RankedTensorType>(load.getTile().getType()), Form::Column);
    auto values = lanesOf(s, load, vector);
    if (failed(values))
      return failure();
    bool isLine = values->line || load.getTile().getType().getNumElements() == 1;
    if (!isLine)
      return op->emitError("looks up values that do not lie along a line of their array: load them from side "
                           "by side, under a mask without remainders");
    lanes.lookup = std::make_shared<LaneAccess>(*values);
    lanes.lookupAxis = places[access.lookupAxis];
    dims.push_back(getAffineDimExpr(s.size() + lanes.rank(), s.context()));
  }
  for (unsigned axis : places)
    dims.push_back(getAffineDimExpr(s.size() + axis, s.context()));
  unsigned count = s.size() + lanes.rank() + 1;
  for (AffineExpr result : access.map.getResults())
    lanes.subscripts.push_back(simplifyAffineExpr(result.replaceDims(dims), count, 0));
  if (access.bounds)
    for (AffineExpr constraint : access.bounds->getConstraints())
      lanes.constraints.push_back(
          simplifyAffineExpr(withoutQuotient(simplifyAffineExpr(constraint.replaceDims(dims), count, 0)), count, 0));
  addArrayLimits(lanes);
  if (!lanes.subscripts.empty())
    findLine(lanes, s);
  // A store writes what lies side by side; other elements are written alone.
  if (isa<tile::StoreOp>(op) && lanes.step != 1)
    lanes.line = std::nullopt, lanes.step = 1;
  return lanes;
}
