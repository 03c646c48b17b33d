// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the multiplications of a matrix product that the source asks for.

#include "Multiplications.h"

#include "drawloom/Tile/Integers.h"

using namespace mlir;

namespace drawloom::plan {
namespace {

/// Mean number of a load's lanes along one axis that its bounds leave, over
/// all values of the one index they move with; the whole axis if unbounded.
class LaneCount {
public:
  LaneCount(const Problem &problem, ArrayRef<int> nest) : problem(problem), nest(nest) {}

  double along(tile::LoadOp load, unsigned axis) const {
    int64_t size = cast<RankedTensorType>(load.getTile().getType()).getDimSize(axis);
    double least = size;
    std::optional<IntegerSet> bounds = load.getBounds();
    for (unsigned i = 0; bounds && i < bounds->getNumConstraints(); ++i)
      least = std::min(least, mean(load, bounds->getConstraint(i), axis, size));
    return least;
  }

private:
  /// Mean over the index that `constraint` moves with of the lanes it leaves.
  double mean(tile::LoadOp load, AffineExpr constraint, unsigned axis, int64_t size) const {
    unsigned indices = load.getAt().size();
    if (!constraint.isFunctionOfDim(indices + axis))
      return size;
    unsigned moving = 0, trips = 1;
    for (unsigned i = 0; i < indices; ++i)
      if (constraint.isFunctionOfDim(i))
        moving = i, trips = tripsOf(load.getAt()[i]);
    int64_t total = 0;
    SmallVector<int64_t> point(indices + 2, 0);
    for (unsigned at = 0; at < trips; ++at)
      for (int64_t lane = 0; lane < size; ++lane) {
        if (moving < indices)
          point[moving] = at;
        point[indices + axis] = lane;
        total += tile::evaluate(constraint, point) >= 0;
      }
    return double(total) / trips;
  }

  /// Values an index of the grid or of a loop takes.
  int64_t tripsOf(Value index) const {
    auto argument = dyn_cast<BlockArgument>(index);
    if (argument && argument.getOwner() == &Problem(problem).grid.getBody().front())
      return problem.extents[argument.getArgNumber()];
    for (int loop : nest)
      if (scf::ForOp op = problem.loops[loop].loop(); op && op.getInductionVar() == index)
        return std::max<int64_t>(1, std::llround(problem.loops[loop].trip));
    return 1;
  }

  const Problem &problem;
  ArrayRef<int> nest;
};

} // namespace

double multiplications(linalg::LinalgOp product, const Problem &problem, ArrayRef<int> nest) {
  Value lhs = product.getDpsInputs()[0], rhs = product.getDpsInputs()[1];
  auto out = cast<RankedTensorType>(product.getDpsInits()[0].getType());
  auto left = cast<RankedTensorType>(lhs.getType());
  int64_t rank = out.getRank();
  double rows = out.getDimSize(rank - 2), columns = out.getDimSize(rank - 1);
  double inner = left.getDimSize(rank - 1), batches = out.getNumElements() / (rows * columns);
  LaneCount count(problem, nest);
  if (auto load = lhs.getDefiningOp<tile::LoadOp>(); load && rank == 2 && !load.getLookup()) {
    rows = count.along(load, 0);
    inner = count.along(load, 1);
  }
  if (auto load = rhs.getDefiningOp<tile::LoadOp>(); load && rank == 2 && !load.getLookup()) {
    inner = std::min(inner, count.along(load, 0));
    columns = count.along(load, 1);
  }
  double points = problem.iterations(nest);
  for (int64_t extent : problem.extents)
    points *= extent;
  return batches * rows * columns * inner * points;
}

} // namespace drawloom::plan
