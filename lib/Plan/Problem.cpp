// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the planning problem off a logical tile program.

#include "drawloom/Plan/Problem.h"

#include "Edges.h"
#include "Invariants.h"
#include "SimpleForm.h"
#include "Stages.h"
#include "Trips.h"
#include "drawloom/Tile/WholeTiles.h"

using namespace mlir;

namespace drawloom::plan {
namespace {

/// Whether the lanes an access touches depend on `source`: by a subscript or
/// by a bound.
bool accessDependsOn(ValueRange at, AffineMap map, std::optional<IntegerSet> bounds, Value source) {
  auto isUsed = [&](unsigned position) {
    return map.isFunctionOfDim(position) ||
           (bounds && llvm::any_of(bounds->getConstraints(), [&](AffineExpr constraint) {
              return constraint.isFunctionOfDim(position);
            }));
  };
  for (auto [position, value] : llvm::enumerate(at))
    if (isUsed(position) && dependsOn(value, source))
      return true;
  return false;
}

/// Whether memory has a say in an index.
bool isFromMemory(Value index) {
  Operation *op = index.getDefiningOp();
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(cast<BlockArgument>(index).getOwner()->getParentOp());
    return loop && index != loop.getInductionVar();
  }
  return isa<tile::ReadOp>(op) || op->getNumRegions() > 0 ||
         llvm::any_of(op->getOperands(), isFromMemory);
}

/// Elements from one lane of the last axis to the next, if it moves the array's
/// last dimension alone; else 0.
int64_t stepOfLastLane(AffineMap access) {
  unsigned dims = access.getNumDims();
  for (AffineExpr expr : access.getResults().drop_back())
    if (expr.isFunctionOfDim(dims - 1))
      return 0;
  AffineExpr lane = getAffineDimExpr(dims - 1, access.getContext()), last = access.getResults().back();
  auto step = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(last.replace(lane, lane + 1) - last, dims, 0));
  return step ? step.getValue() : 0;
}

int64_t argumentOf(Value array) { return array.getDefiningOp<tile::ArrayOp>().getArgument(); }

class Reader {
public:
  Reader(Problem &problem, const Buffered &buffered)
      : problem(problem), buffered(buffered), stages(problem, buffered) {}

  LogicalResult run() {
    problem.grid.walk([&](tile::StoreOp store) { stored.insert(argumentOf(store.getArray())); });
    return readBlock(problem.grid.getBody().front(), {});
  }

private:
  LogicalResult readBlock(Block &block, ArrayRef<int> nest) {
    for (Operation &op : block)
      if (failed(readOp(op, nest)))
        return failure();
    return success();
  }

  LogicalResult readOp(Operation &op, ArrayRef<int> nest) {
    if (failed(stages.read(op, nest)))
      return failure();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return readLevel(&op, false, *loop.getBody(), nest);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (failed(readLevel(&op, false, *branch.thenBlock(), nest)))
        return failure();
      return branch.elseBlock() ? readLevel(&op, true, *branch.elseBlock(), nest) : success();
    }
    if (auto load = dyn_cast<tile::LoadOp>(op))
      return addAccess(load, load.getTile(), nest);
    if (auto store = dyn_cast<tile::StoreOp>(op))
      return addAccess(store, store.getTile(), nest);
    return success();
  }

  LogicalResult readLevel(Operation *op, bool isElse, Block &body, ArrayRef<int> nest) {
    int index = problem.loops.size();
    problem.loops.push_back(levelOf(op, isElse, problem, nest));
    SmallVector<int> inner(nest);
    inner.push_back(index);
    return readBlock(body, inner);
  }

  template <typename Op> LogicalResult addAccess(Op op, Value tile, ArrayRef<int> nest) {
    auto type = cast<RankedTensorType>(tile.getType());
    std::optional<Format> format = bufferFormatOf(type.getElementType());
    if (!format)
      return op->emitOpError("moves elements of type ")
             << type.getElementType() << ", which device memory does not hold";
    Access access;
    access.op = op;
    access.array = op.getArray().template getDefiningOp<tile::ArrayOp>().getName().str();
    access.isStore = isa<tile::StoreOp>(op);
    access.tiles = problem.isSimple ? tilesOf(type, true) : buffered.formOf(tile).tiles();
    access.tileBytes = tileBytes(*format);
    access.loops = SmallVector<int>(nest);
    auto depends = [&](Value source) {
      return accessDependsOn(op.getAt(), op.getAccess(), op.getBounds(), source) ||
             (op.getLookup() && dependsOn(op.getLookup(), source));
    };
    for (Value index : problem.grid.getBody().getArguments())
      access.onGrid.push_back(depends(index));
    for (int level : nest) {
      scf::ForOp loop = problem.loops[level].loop();
      access.onLoop.push_back(loop && depends(loop.getInductionVar()));
    }
    access.isFlat = problem.isSimple && runOf(op) > 0;
    if (auto load = dyn_cast<tile::LoadOp>(op.getOperation()))
      findEdges(access, load, problem);
    if (!problem.isSimple)
      restrict(access, op, tile);
    problem.accesses.push_back(std::move(access));
    return success();
  }

  /// Lines of lanes, which the general lowering moves through scratch.
  template <typename Op> void countLines(Access &access, Op op, RankedTensorType type) {
    int64_t elements = type.getNumElements(), step = type.getRank() ? stepOfLastLane(op.getAccess()) : 0;
    // What is stored apart is written element by element.
    bool isAlone = type.getRank() == 0 || (access.isStore && step > 1);
    access.lines = llvm::divideCeil(elements, isAlone ? 1 : std::min(kTileSide, type.getShape().back()));
    if (step == 1)
      access.words = llvm::divideCeil(elements * llvm::divideCeil(type.getElementTypeBitWidth(), 8), kWordBytes);
    else
      access.elements = elements;
  }

  /// What the general lowering leaves of a load's freedom.
  template <typename Op> void restrict(Access &access, Op op, Value tile) {
    auto type = cast<RankedTensorType>(tile.getType());
    auto layout = op.getArray().template getDefiningOp<tile::ArrayOp>().getLayoutAttr();
    auto rows = dyn_cast_or_null<tile::RowsAttr>(layout);
    access.isFlat = rows && buffered.formOf(tile).kind == Form::Flat && runOf(op) == rows.getElements();
    access.wholeTiles = access.isFlat || (layout ? isa<tile::TiledAttr>(layout)
                                                 : tile::movesWholeTiles(op.getOperation()));
    if (!access.wholeTiles)
      countLines(access, op, type);
    bool fromMemory = op.getLookup() || llvm::any_of(op.getAt(), isFromMemory);
    bool written = stored.contains(argumentOf(op.getArray()));
    access.canGrow = false;
    bool inLoop = !access.loops.empty();
    access.canHoist = !inLoop && !fromMemory && !written;
    access.canShare = !fromMemory && !written && llvm::all_of(access.loops, [&](int level) {
      return problem.loops[level].isUniform && problem.loops[level].loop();
    });
    access.canPrefetch = !written;
    // The lowering issues it where it last changes.
    size_t depth = nestOfInvariant(op, access.loops, problem).size();
    access.loops.truncate(depth);
    access.onLoop.truncate(depth);
  }

  Problem &problem;
  const Buffered &buffered;
  StageReader stages;
  llvm::DenseSet<int64_t> stored; ///< arguments
};

} // namespace

double Problem::iterations(ArrayRef<int> nest) const {
  double count = 1;
  for (int loop : nest)
    count *= loops[loop].trip;
  return count;
}

FailureOr<Problem> readProblem(tile::ProgramOp program) {
  Problem problem;
  problem.program = program;
  for (auto grid : program.getBody().getOps<tile::GridOp>()) {
    if (problem.grid)
      return grid.emitOpError("is the second grid of its program; plan each grid "
                              "as a program of its own");
    problem.grid = grid;
  }
  if (!problem.grid)
    return program.emitOpError("has no grid to plan");
  problem.isSimple = isSimple(problem.grid);
  problem.extents = SmallVector<int64_t>(problem.grid.getExtents());
  for (size_t dim = 0; dim < problem.extents.size(); ++dim)
    problem.ordered.push_back(problem.grid.isOrdered(dim));
  // A Dst that the program asks for.
  auto asked = program.getPrecisionAttr();
  problem.dst32 = asked && asked.getDst().isF32();
  problem.exact = tile::takesExactOperands(program);
  Buffered buffered(problem.grid);
  if (failed(Reader(problem, buffered).run()))
    return failure();
  if (!problem.isSimple)
    problem.residents = residentsOf(problem.grid, buffered);
  return problem;
}

} // namespace drawloom::plan
