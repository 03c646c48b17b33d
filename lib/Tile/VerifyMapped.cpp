// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract of the mapped state: a program says where and when.

#include "Nest.h"
#include "drawloom/Tile/TilePasses.h"

using namespace mlir;
using namespace drawloom::tile;

namespace drawloom::tile {
#define GEN_PASS_DEF_VERIFYMAPPED
#include "drawloom/Tile/TilePasses.h.inc"
} // namespace drawloom::tile

/// A decision that is missing would have to be made later, where nothing
/// weighs its cost.
static LogicalResult missing(Operation *op, const Twine &what) {
  auto error = op->emitError("a mapped program states ") << what;
  error.attachNote() << "the planner writes it; an edited plan must keep it";
  return error;
}

/// The levels of a load's nest: wave digits, then the loops around it.
static int64_t nestSize(GridOp grid, LoadOp load) {
  int64_t levels =
      llvm::count_if(grid.getMappingAttr(), llvm::IsaPred<WaveAttr>);
  for (Operation *parent = load->getParentOp(); parent != grid;
       parent = parent->getParentOp())
    levels += isa<scf::ForOp>(parent);
  return levels;
}

/// Whether `expr` changes when grid dimension `dim` does, alone.
static bool dependsOn(AffineExpr expr, unsigned dim) {
  return expr && expr.isFunctionOfDim(dim);
}

/// Whether a value is computed, or comes to be computed, from `index`.
static bool followsFrom(Value value, Value index) {
  SmallVector<Value> rest = {value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!rest.empty()) {
    Value next = rest.pop_back_val();
    if (next == index)
      return true;
    Operation *op = next.getDefiningOp();
    if (!op)
      op = cast<BlockArgument>(next).getOwner()->getParentOp();
    if (isa<GridOp>(op) || !seen.insert(op).second)
      continue;
    op->walk([&](Operation *inner) {
      llvm::append_range(rest, inner->getOperands());
    });
    if (Operation *around = op->getParentOp();
        isa<scf::ForOp, scf::IfOp>(around))
      llvm::append_range(rest, around->getOperands());
  }
  return false;
}

/// What makes the tile of `load`, or how often it comes, depend on a grid
/// dimension; empty when nothing does.
static StringRef dependence(GridOp grid, LoadOp load, const Nest &nest,
                            const AccessForm &form, unsigned dim) {
  if (llvm::any_of(form.subscripts,
                   [&](AffineExpr e) { return dependsOn(e, dim); }))
    return "its subscripts";
  auto constraints = ArrayRef(form.points.nonNegative);
  // The domain's own constraints on the index come first: skip those that
  // involve nothing else.
  for (AffineExpr constraint : constraints) {
    if (!dependsOn(constraint, dim))
      continue;
    bool involvesMore = false;
    for (unsigned other = 0; other < form.points.dims; ++other)
      involvesMore |= other != dim && constraint.isFunctionOfDim(other);
    if (involvesMore)
      return "its bounds or the loops around it";
  }
  Value index = grid.getIndex(dim);
  for (unsigned data = 0; data < nest.size(); ++data)
    if (nest.isData(data) && followsFrom(nest.variable(data), index))
      return "integers from memory it uses";
  if (Value ids = load.getLookup(); ids && followsFrom(ids, index))
    return "the values it looks up";
  for (Operation *around = load->getParentOp(); around != grid;
       around = around->getParentOp())
    if (auto branch = dyn_cast<scf::IfOp>(around);
        branch && followsFrom(branch.getCondition(), index))
      return "a condition around it";
  return {};
}

static LogicalResult verifyMulticast(GridOp grid, LoadOp load,
                                     MulticastAttr travel) {
  if (travel.getAlong().empty())
    return load.emitError(
        "a multicast goes along at least one machine dimension");
  Nest nest(load.getContext());
  if (failed(nest.enter(load)))
    return failure();
  auto form = formOf(nest, partsOf(load));
  if (failed(form))
    return failure();
  for (StringAttr axis : travel.getAlong()) {
    bool isUsed = false;
    for (Attribute digit : grid.getMappingAttr()) {
      auto space = dyn_cast<SpaceAttr>(digit);
      if (!space || space.getAxis() != axis)
        continue;
      isUsed = true;
      StringRef cause = dependence(grid, load, nest, *form, space.getDim());
      if (cause.empty())
        continue;
      // Receivers of one multicast hold the same bytes, equally often.
      auto error = load.emitError("a tile is multicast along ")
                   << axis
                   << ", but the cores along it need different tiles: " << cause
                   << " depend on grid dimension " << space.getDim();
      error.attachNote(grid.getLoc())
          << "the mapping spreads that dimension by " << digit;
      return error;
    }
    if (!isUsed) {
      auto error = load.emitError("is multicast along ")
                   << axis << ", where all cores but one are idle";
      error.attachNote(grid.getLoc())
          << "no digit of the mapping is on " << axis;
      return error;
    }
  }
  return success();
}

static LogicalResult verifyLoad(GridOp grid, LoadOp load) {
  if (!load.getTravelAttr())
    return missing(load, "how each load travels (`travel`)");
  if (!load.getHoist())
    return missing(load,
                   "at which level of its nest each load is issued (`hoist`)");
  if (!load.getDepth())
    return missing(load,
                   "how many deliveries each load's buffer holds (`depth`)");
  int64_t levels = nestSize(grid, load);
  if (static_cast<int64_t>(*load.getHoist()) > levels) {
    auto error = load.emitError("is hoisted across ")
                 << *load.getHoist() << " loops, but its nest has " << levels;
    error.attachNote(grid.getLoc())
        << "a nest is the wave digits of the mapping, then the "
           "loops around the load";
    return error;
  }
  if (auto travel = dyn_cast<MulticastAttr>(load.getTravelAttr()))
    return verifyMulticast(grid, load, travel);
  return success();
}

static LogicalResult verifyGrid(GridOp grid) {
  if (!grid.getMappingAttr())
    return missing(grid, "each grid's mapping (`map`)");
  for (Attribute digit : grid.getMappingAttr())
    if (auto space = dyn_cast<SpaceAttr>(digit);
        space && grid.isOrdered(space.getDim()))
      return grid.emitError("spreads dimension ")
             << space.getDim() << " over " << space.getAxis()
             << ", but its points run in order: such a dimension maps to waves";
  return failure(
      grid.walk([&](LoadOp load) { return WalkResult(verifyLoad(grid, load)); })
          .wasInterrupted());
}

LogicalResult drawloom::tile::verifyMapped(ProgramOp program) {
  if (!program.getMachineAttr())
    return missing(program, "its machine (`on`)");
  if (!program.getPrecisionAttr())
    return missing(program, "its precision policy (`precision`)");
  for (auto array : program.getBody().getOps<ArrayOp>())
    if (!array.getLayoutAttr())
      return missing(array, "each array's layout in device memory (`layout`)");
  for (auto grid : program.getBody().getOps<GridOp>())
    if (failed(verifyGrid(grid)))
      return failure();
  return success();
}

namespace {
struct VerifyMapped : drawloom::tile::impl::VerifyMappedBase<VerifyMapped> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<ProgramOp>())
      if (failed(verifyMapped(program)))
        signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
