// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a grid's digits and its reduction loop to coordinates.

#include "Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

FailureOr<Schedule> Schedule::create(tile::GridOp grid, const MachineModel &model) {
  Schedule schedule;
  schedule.grid = grid;
  schedule.ctx = grid.getContext();
  schedule.extents = {1, 1};
  if (failed(schedule.addDigits(model)) || failed(schedule.addReduction()))
    return failure();
  return schedule;
}

FailureOr<Schedule> Schedule::createNest(tile::GridOp grid, const MachineModel &model) {
  Schedule schedule;
  schedule.grid = grid;
  schedule.ctx = grid.getContext();
  schedule.extents = {1, 1};
  if (failed(schedule.addDigits(model)))
    return failure();
  schedule.extents.append({1, 1});
  schedule.addNest();
  return schedule;
}

static std::optional<unsigned> axisOf(StringRef name, const MachineModel &model) {
  std::optional<int> index = model.dimIndex(name);
  if (!index || *index > 1)
    return std::nullopt;
  return *index;
}

LogicalResult Schedule::addDigits(const MachineModel &model) {
  if (!grid.getMappingAttr())
    return grid.emitError("is not mapped: give it a `map` of #tile.space and #tile.wave digits");
  gridIndices.assign(grid.getExtents().size(), getAffineConstantExpr(0, ctx));
  SmallVector<int64_t> capacity(gridIndices.size(), 1);
  // Extents first, so that a coordinate of extent 1 is the constant 0.
  for (Attribute digit : grid.getMappingAttr()) {
    if (auto wave = dyn_cast<tile::WaveAttr>(digit)) {
      extents.push_back(wave.getSize());
      continue;
    }
    auto space = cast<tile::SpaceAttr>(digit);
    auto axis = axisOf(space.getAxis(), model);
    if (!axis)
      return grid.emitError("spreads dimension ")
             << space.getDim() << " over " << space.getAxis() << ": machine " << model.name()
             << " has no such dimension among its first two";
    extents[*axis] *= space.getSize();
    if (extents[*axis] > model.dims()[*axis].size)
      return grid.emitError("spreads dimension ")
             << space.getDim() << " over " << space.getSize() << " cores of " << space.getAxis()
             << ", which with the digits before takes " << extents[*axis] << " of its "
             << model.dims()[*axis].size;
  }
  waveCount = extents.size() - kFirstLoop;
  unsigned loop = kFirstLoop;
  // Digits that share an axis are digits of its coordinate, outermost first.
  SmallVector<int64_t> inner(extents);
  for (Attribute digit : grid.getMappingAttr()) {
    auto wave = dyn_cast<tile::WaveAttr>(digit);
    auto space = dyn_cast<tile::SpaceAttr>(digit);
    int64_t dim = wave ? wave.getDim() : space.getDim();
    int64_t size = wave ? wave.getSize() : space.getSize();
    unsigned at = wave ? loop++ : *axisOf(space.getAxis(), model);
    inner[at] /= size;
    AffineExpr value = coordinate(at).floorDiv(inner[at]);
    if (inner[at] * size < extents[at])
      value = value % size;
    gridIndices[dim] = gridIndices[dim] * size + value;
    capacity[dim] *= size;
  }
  for (auto [dim, extent] : llvm::enumerate(grid.getExtents())) {
    gridIndices[dim] = simplifyAffineExpr(gridIndices[dim], extents.size() + 2, 0);
    if (capacity[dim] > extent)
      activeConditions.push_back(extent - 1 - gridIndices[dim]);
  }
  return success();
}

LogicalResult Schedule::addReduction() {
  extents.append({1, 1});
  for (Operation &op : grid.getBody().front()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      continue;
    if (reduction)
      return loop.emitError("is the second loop of its grid: a program may have one reduction "
                            "loop; make the kernel two kernels");
    reduction = loop;
  }
  if (!reduction)
    return success();
  APInt low, high, step;
  if (!matchPattern(reduction.getLowerBound(), m_ConstantInt(&low)) ||
      !matchPattern(reduction.getUpperBound(), m_ConstantInt(&high)) ||
      !matchPattern(reduction.getStep(), m_ConstantInt(&step)))
    return reduction.emitError("has bounds that depend on the point: use constant bounds and "
                               "mask the iterations that do not exist");
  tripCount = llvm::divideCeil(high.getSExtValue() - low.getSExtValue(), step.getSExtValue());
  if (tripCount < 1)
    return reduction.emitError("never runs: remove it");
  int64_t chunk = std::min(tile::chunkOf(reduction), tripCount);
  extents[chunkCoordinate()] = llvm::divideCeil(tripCount, chunk);
  extents[innerCoordinate()] = chunk;
  AffineExpr iteration =
      coordinate(chunkCoordinate()) * chunk + coordinate(innerCoordinate());
  reductionIndex = simplify(iteration * step.getSExtValue() + low.getSExtValue());
  return success();
}

AffineExpr Schedule::coordinate(unsigned index) const {
  // While digits are added, the coordinate's own extent is already there.
  return extents[index] == 1 ? getAffineConstantExpr(0, context())
                             : getAffineDimExpr(index, context());
}

AffineExpr Schedule::simplify(AffineExpr expr) const {
  return simplifyAffineExpr(expr, size() + 1, 0);
}

//===-- Nests ---------------------------------------------------------------//

/// More than any loop runs: what is read from memory is not known before.
static constexpr int64_t kUnknownExtent = int64_t(1) << 31;

void Schedule::addLoop(scf::ForOp loop) {
  unsigned at = extents.size();
  auto low = find(loop.getLowerBound()), high = find(loop.getUpperBound());
  auto step = getConstantIntValue(loop.getStep());
  int64_t trips = kUnknownExtent;
  if (low && high && step && *step > 0)
    trips = std::max<int64_t>(1, llvm::divideCeil(std::max<int64_t>(0, rangeOf(simplify(*high - *low)).high), *step));
  extents.push_back(trips);
  loopCoordinates[loop] = at;
  if (!low) {
    addOpaque(loop.getLowerBound());
    low = find(loop.getLowerBound());
  }
  known[loop.getInductionVar()] = simplify(*low + coordinate(at) * step.value_or(1));
}

void Schedule::addOpaque(Value index) {
  if (opaque(index))
    return;
  opaqueValues.push_back({index, extents.size()});
  extents.push_back(kUnknownExtent);
}

std::optional<unsigned> Schedule::opaque(Value index) const {
  for (auto [value, at] : opaqueValues)
    if (value == index)
      return at;
  return std::nullopt;
}

/// Whatever accesses and bounds ask for gets an expression, in program order;
/// so do numbers that loops carry and branches choose.
void Schedule::addNest() {
  auto addNumbers = [&](ValueRange values) {
    for (Value value : values)
      if (value.getType().isIndex())
        addOpaque(value);
  };
  tile::GridOp(grid).getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp>(op))
      addNumbers(op->getResults());
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      addLoop(loop);
      return addNumbers(loop.getRegionIterArgs());
    }
    ValueRange indices;
    if (auto read = dyn_cast<tile::ReadOp>(op)) {
      for (Value index : read.getAt())
        if (!find(index))
          addOpaque(index);
      return addOpaque(read.getValue());
    }
    if (auto lanes = dyn_cast<tile::IndexOp>(op))
      indices = lanes.getAt();
    else if (auto load = dyn_cast<tile::LoadOp>(op))
      indices = load.getAt();
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      indices = store.getAt();
    else if (auto mask = dyn_cast<tile::MaskOp>(op))
      indices = mask.getAt();
    for (Value index : indices)
      if (!find(index))
        addOpaque(index);
  });
}

std::optional<AffineExpr> Schedule::find(Value index) const {
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    if (argument.getOwner()->getParentOp() == grid)
      return gridIndices[argument.getArgNumber()];
    if (scf::ForOp loop = reduction; loop && argument == loop.getInductionVar())
      return reductionIndex;
  }
  if (auto it = known.find(index); it != known.end())
    return it->second;
  if (auto at = opaque(index))
    return getAffineDimExpr(*at, context());
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context());
  Operation *op = index.getDefiningOp();
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    SmallVector<AffineExpr> operands;
    for (Value operand : apply.getMapOperands()) {
      auto expr = find(operand);
      if (!expr)
        return std::nullopt;
      operands.push_back(*expr);
    }
    ArrayRef<AffineExpr> all(operands);
    return simplify(map.getResult(0).replaceDimsAndSymbols(all.take_front(map.getNumDims()),
                                                           all.drop_front(map.getNumDims())));
  }
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  auto lhs = find(op->getOperand(0)), rhs = find(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return simplify(*lhs + *rhs);
  if (isa<arith::SubIOp>(op))
    return simplify(*lhs - *rhs);
  if (lhs->isSymbolicOrConstant() || rhs->isSymbolicOrConstant())
    return simplify(*lhs * *rhs);
  return std::nullopt;
}

FailureOr<AffineExpr> Schedule::express(Value index, Operation *user) const {
  if (auto expr = find(index))
    return *expr;
  return user->emitError("is at an index that is not affine in the grid and its loop: "
                         "compute it from program ids, the loop variable and constants");
}

/// Whether a coordinate is divided in `expr`, as one with several digits is.
static bool isDivided(AffineExpr expr, unsigned coordinate) {
  return expr
      .walk([&](AffineExpr part) {
        bool divides = part.getKind() == AffineExprKind::FloorDiv || part.getKind() == AffineExprKind::Mod;
        return divides && part.isFunctionOfDim(coordinate) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Coordinates with no more values than this are taken value by value where
/// they are divided.
static constexpr int64_t kFewValues = 64;

/// Simplifying writes a remainder as a difference, of which intervals know
/// little.
Interval Schedule::rangeOf(AffineExpr expr) const {
  for (unsigned coordinate = 0; coordinate < size(); ++coordinate) {
    if (extents[coordinate] > kFewValues || !isDivided(expr, coordinate))
      continue;
    std::optional<Interval> all;
    for (int64_t value = 0; value < extents[coordinate]; ++value) {
      AffineExpr dim = getAffineDimExpr(coordinate, context());
      Interval here = rangeOf(simplify(expr.replace(dim, getAffineConstantExpr(value, context()))));
      all = all ? Interval{std::min(all->low, here.low), std::max(all->high, here.high)} : here;
    }
    return *all;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {0, extents[dim.getPosition()] - 1};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Interval l = rangeOf(binary.getLHS()), r = rangeOf(binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return {l.low + r.low, l.high + r.high};
  case AffineExprKind::Mul:
    return {std::min({l.low * r.low, l.low * r.high, l.high * r.low, l.high * r.high}),
            std::max({l.low * r.low, l.low * r.high, l.high * r.low, l.high * r.high})};
  case AffineExprKind::FloorDiv:
    return {llvm::divideFloorSigned(l.low, r.low), llvm::divideFloorSigned(l.high, r.low)};
  case AffineExprKind::CeilDiv:
    return {llvm::divideCeilSigned(l.low, r.low), llvm::divideCeilSigned(l.high, r.low)};
  default:
    return {0, r.high - 1}; // mod
  }
}

AffineExpr Schedule::atZero(AffineExpr expr, unsigned first) const {
  SmallVector<AffineExpr> dims;
  for (unsigned i = 0; i < size(); ++i)
    dims.push_back(i < first ? getAffineDimExpr(i, context()) : getAffineConstantExpr(0, context()));
  return simplify(expr.replaceDims(dims));
}

std::optional<int64_t> Schedule::factorOf(AffineExpr expr, unsigned coordinate) const {
  AffineExpr dim = getAffineDimExpr(coordinate, context());
  AffineExpr without = expr.replace(dim, getAffineConstantExpr(0, context()));
  AffineExpr part = simplify(expr - without);
  if (part == dim)
    return 1;
  if (auto constant = dyn_cast<AffineConstantExpr>(part))
    return constant.getValue() == 0 ? std::optional<int64_t>(0) : std::nullopt;
  auto product = dyn_cast<AffineBinaryOpExpr>(part);
  if (!product || product.getKind() != AffineExprKind::Mul || product.getLHS() != dim)
    return std::nullopt;
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  return factor ? std::optional<int64_t>(factor.getValue()) : std::nullopt;
}
