// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the lanes that are missing where indices are last.

#include "Edges.h"

#include "IndexValues.h"
#include "Trips.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom::plan {
namespace {

/// Finds the edges of one load.
class EdgeFinder {
public:
  EdgeFinder(Access &access, tile::LoadOp load, const Problem &problem)
      : access(access), load(load), problem(problem) {
    tile::GridOp grid = problem.grid;
    for (auto [dim, extent] : llvm::enumerate(problem.extents))
      last.set(grid.getIndex(dim), extent - 1);
    for (int level : access.loops)
      if (scf::ForOp loop = problem.loops[level].loop()) {
        int64_t step = last.orZero(loop.getStep());
        int64_t iterations = std::max<int64_t>(1, std::llround(problem.loops[level].trip));
        last.set(loop.getInductionVar(), last.orZero(loop.getLowerBound()) + (iterations - 1) * step);
      }
  }

  /// `limit` counts lanes of axis `axis` from the load's first.
  void add(AffineExpr limit, int axis) {
    int64_t kept = last.evaluate(limit, load.getAt(), dims());
    Edge edge{axis, {}, {}, std::clamp<int64_t>(kept, 0, access.lanes[axis])};
    for (auto [position, index] : llvm::enumerate(load.getAt())) {
      if (!limit.isFunctionOfDim(position))
        continue;
      tile::GridOp grid = problem.grid;
      for (auto [dim, argument] : llvm::enumerate(grid.getBody().getArguments()))
        if (dependsOn(index, argument))
          edge.dim = dim;
      for (int level : access.loops)
        if (scf::ForOp loop = problem.loops[level].loop(); loop && dependsOn(index, loop.getInductionVar()))
          edge.loop = level;
    }
    if (edge.kept >= access.lanes[axis])
      return;
    for (Edge &known : access.edges)
      if (known.axis == axis && known.dim == edge.dim && known.loop == edge.loop) {
        known.kept = std::min(known.kept, edge.kept);
        return;
      }
    access.edges.push_back(edge);
  }

  unsigned dims() const { return tile::LoadOp(load).getAccess().getNumDims(); }

private:
  Access &access;
  tile::LoadOp load;
  const Problem &problem;
  IndexValues last; ///< every index at its last value
};

} // namespace

void findEdges(Access &access, tile::LoadOp load, const Problem &problem) {
  auto type = cast<RankedTensorType>(load.getTile().getType());
  int64_t rank = type.getRank();
  if (rank < 1 || rank > 2)
    return;
  access.lanes = {rank == 2 ? type.getDimSize(0) : 1, type.getShape().back()};
  EdgeFinder finder(access, load, problem);
  auto shape = cast<MemRefType>(load.getArray().getType()).getShape();
  AffineMap map = load.getAccess();
  for (int64_t lane = 0; lane < rank; ++lane) {
    int axis = lane + 1 == rank ? 1 : 0;
    unsigned dim = finder.dims() - rank + lane;
    for (auto [size, subscript] : llvm::zip(shape, map.getResults()))
      if (subscript.isFunctionOfDim(dim))
        finder.add(size - subscript, axis);
    if (std::optional<IntegerSet> bounds = load.getBounds())
      for (AffineExpr constraint : bounds->getConstraints())
        if (constraint.isFunctionOfDim(dim))
          finder.add(constraint + 1, axis);
  }
}

FilledLanes filledLanes(const Access &access, const Problem &problem, const Candidate &candidate) {
  // A vector in tiles is filled beside its lanes in all rows of them.
  bool isVector = access.lanes[0] == 1 && !access.isFlat;
  int64_t rows = access.isFlat ? 1 : llvm::alignTo(access.lanes[0], kTileSide);
  int64_t columns = llvm::alignTo(access.lanes[1], access.isFlat ? kTileElements : kTileSide);
  std::array<int64_t, 2> kept = {isVector ? rows : access.lanes[0], access.lanes[1]};
  for (const Edge &edge : access.edges)
    if (!edge.dim && !edge.loop)
      kept[edge.axis] = std::min(kept[edge.axis], edge.kept);
  FilledLanes filled;
  filled.always = rows * columns - kept[0] * kept[1];
  filled.first = filled.always;
  double iterations = candidate.mapping.waveCount();
  for (int loop : access.loops)
    iterations *= candidate.trips[loop];
  auto wavesOf = [&](int dim) {
    double waves = 1;
    for (const Digit &wave : candidate.mapping.waves())
      waves *= wave.dim == dim ? wave.size : 1;
    return waves;
  };
  auto addEdge = [&](int axis, int64_t left, double share) {
    double more = double(kept[axis] - std::min(left, kept[axis])) * kept[1 - axis];
    filled.sometimes += more * iterations * share;
    if (share >= 1)
      filled.first += more;
  };
  for (const Edge &edge : access.edges)
    if (edge.dim || edge.loop)
      addEdge(edge.axis, edge.kept,
              (edge.dim ? 1 / wavesOf(*edge.dim) : 1.0) *
                  (edge.loop ? 1 / std::max(1.0, candidate.trips[*edge.loop]) : 1.0));
  // Points beyond the grid are filled whole.
  for (auto [dim, extent] : llvm::enumerate(problem.extents)) {
    int64_t points = 1;
    for (const Digit &digit : candidate.mapping.digits)
      points *= digit.dim == int(dim) ? digit.size : 1;
    if (points > extent && access.onGrid[dim])
      addEdge(1, 0, 1 / wavesOf(dim));
  }
  return filled;
}

} // namespace drawloom::plan
