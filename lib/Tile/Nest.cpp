// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The indices around an access as integer points.

#include "Nest.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom::tile;

std::optional<SmallVector<int64_t>> Points::find() const {
  SmallVector<AffineExpr> all(nonNegative);
  all.append(zero.begin(), zero.end());
  SmallVector<int64_t> point(dims, 0);
  if (all.empty())
    return point;
  SmallVector<bool> isZero(nonNegative.size(), false);
  isZero.resize(all.size(), true);
  FlatLinearValueConstraints constraints(IntegerSet::get(dims, 0, all, isZero));
  auto sample = constraints.findIntegerSample();
  if (!sample)
    return std::nullopt;
  for (unsigned dim = 0; dim < dims; ++dim)
    point[dim] = int64_t((*sample)[dim]);
  return point;
}

//===-- Nest ----------------------------------------------------------------//

AffineExpr Nest::add(Value variable) {
  variables.push_back(variable);
  points.dims = variables.size();
  return getAffineDimExpr(variables.size() - 1, context);
}

LogicalResult Nest::enter(Operation *op) {
  SmallVector<Operation *> around;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    around.push_back(parent);
  for (Operation *parent : llvm::reverse(around)) {
    if (auto grid = dyn_cast<GridOp>(parent)) {
      if (contains(grid.getIndex(0)))
        continue;
      for (auto [dim, extent] : llvm::enumerate(grid.getExtents())) {
        AffineExpr index = add(grid.getIndex(dim));
        points.nonNegative.append({index, extent - 1 - index});
      }
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (!contains(loop.getInductionVar()) && failed(enterLoop(loop)))
        return failure();
    } else if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      enterBranch(branch.getCondition(),
                  branch.getThenRegion().isAncestor(op->getParentRegion()));
    }
  }
  for (Value operand : op->getOperands())
    if (operand.getType().isIndex())
      addData(operand);
  return success();
}

/// Whether the value of an index follows from memory: read, or computed from
/// what was read in a way that is not affine.
static bool isFromMemory(Value index) {
  Operation *op = index.getDefiningOp();
  if (!op) { // carried by a loop that yields what it read
    auto loop = dyn_cast<scf::ForOp>(
        cast<BlockArgument>(index).getOwner()->getParentOp());
    return loop && index != loop.getInductionVar();
  }
  if (isa<ReadOp, scf::IfOp, scf::ForOp>(op))
    return true;
  return llvm::any_of(op->getOperands(), [](Value operand) {
    return operand.getType().isIntOrIndex() && isFromMemory(operand);
  });
}

void Nest::addData(Value index) {
  if (express(index))
    return;
  Operation *op = index.getDefiningOp();
  if (isa_and_nonnull<affine::AffineApplyOp, affine::AffineMinOp,
                      affine::AffineMaxOp, arith::AddIOp, arith::SubIOp,
                      arith::IndexCastOp>(op))
    for (Value operand : op->getOperands())
      addData(operand);
  if (!express(index) && isFromMemory(index))
    add(index);
}

/// `a <predicate> b` as inequalities; false where it is none.
static bool addComparison(Points &points, arith::CmpIPredicate predicate,
                          AffineExpr a, AffineExpr b) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
    points.nonNegative.push_back(b - a - 1);
    return true;
  case P::sle:
    points.nonNegative.push_back(b - a);
    return true;
  case P::sgt:
    points.nonNegative.push_back(a - b - 1);
    return true;
  case P::sge:
    points.nonNegative.push_back(a - b);
    return true;
  case P::eq:
    points.zero.push_back(a - b);
    return true;
  default:
    return false;
  }
}

void Nest::enterBranch(Value condition, bool isThen) {
  Operation *op = condition.getDefiningOp();
  if (isThen ? isa_and_nonnull<arith::AndIOp>(op)
             : isa_and_nonnull<arith::OrIOp>(op)) {
    for (Value operand : op->getOperands())
      enterBranch(operand, isThen);
    return;
  }
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!compare || !compare.getLhs().getType().isIndex()) {
    exact = false;
    return;
  }
  addData(compare.getLhs()), addData(compare.getRhs());
  AffineExpr a = express(compare.getLhs()), b = express(compare.getRhs());
  auto predicate = compare.getPredicate();
  exact &= a && b &&
           addComparison(points,
                         isThen ? predicate : arith::invertPredicate(predicate),
                         a, b);
}

bool Nest::isData(unsigned dim) const {
  auto argument = dyn_cast<BlockArgument>(variables[dim]);
  if (!argument)
    return true;
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop && argument != loop.getInductionVar();
}

bool Nest::isBoundedByData(unsigned dim) const {
  return isData(dim) || llvm::is_contained(boundedByData, variables[dim]);
}

bool Nest::dependsOnData(AffineExpr expr) const {
  for (unsigned dim = 0; dim < size(); ++dim)
    if (expr.isFunctionOfDim(dim) && isData(dim))
      return true;
  return false;
}

SmallVector<AffineExpr> Nest::alternatives(Value value, bool largest) const {
  AffineMap map;
  ValueRange operands;
  if (auto minimum = value.getDefiningOp<affine::AffineMinOp>();
      minimum && !largest)
    map = minimum.getMap(), operands = minimum.getOperands();
  else if (auto maximum = value.getDefiningOp<affine::AffineMaxOp>();
           maximum && largest)
    map = maximum.getMap(), operands = maximum.getOperands();
  else
    return {express(value)};
  SmallVector<AffineExpr> inputs;
  for (Value operand : operands)
    inputs.push_back(express(operand));
  if (llvm::is_contained(inputs, AffineExpr()))
    return {AffineExpr()};
  ArrayRef<AffineExpr> all(inputs);
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    return expr.replaceDimsAndSymbols(all.take_front(map.getNumDims()),
                                      all.drop_front(map.getNumDims()));
  });
}

LogicalResult Nest::enterLoop(scf::ForOp loop) {
  // Waves, buffers and multicasts are laid out before the program runs, so the
  // iterations must follow from indices, and from integers the movers can read.
  addData(loop.getLowerBound()), addData(loop.getUpperBound());
  auto lower = alternatives(loop.getLowerBound(), /*largest=*/true);
  auto upper = alternatives(loop.getUpperBound(), /*largest=*/false);
  APInt step;
  if (llvm::is_contained(lower, AffineExpr()) ||
      llvm::is_contained(upper, AffineExpr()) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive()) {
    auto error = loop.emitError(
        "a loop of a tile program needs bounds that are affine in "
        "grid and loop indices and in integers read from memory, and a "
        "constant positive step");
    error.attachNote()
        << "the front door specialises bounds on the launch's arguments";
    return error;
  }
  if (lower.size() > 1 && !step.isOne())
    return loop.emitError(
        "a loop from the largest of several bounds needs a step of 1");
  bool fromMemory = false;
  for (AffineExpr bound : llvm::concat<AffineExpr>(lower, upper))
    for (unsigned dim = 0; dim < size(); ++dim)
      fromMemory |= bound.isFunctionOfDim(dim) && isBoundedByData(dim);
  if (fromMemory)
    boundedByData.push_back(loop.getInductionVar());
  AffineExpr index = add(loop.getInductionVar());
  for (AffineExpr bound : lower)
    points.nonNegative.push_back(index - bound);
  for (AffineExpr bound : upper)
    points.nonNegative.push_back(bound - 1 - index);
  if (!step.isOne())
    points.zero.push_back((index - lower.front()) % step.getSExtValue());
  return success();
}

AffineExpr Nest::express(Value index) const {
  if (auto found = llvm::find(variables, index); found != variables.end())
    return getAffineDimExpr(found - variables.begin(), context);
  Operation *op = index.getDefiningOp();
  if (!op)
    return {};
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context);
  if (!isa<affine::AffineApplyOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
           arith::IndexCastOp>(op))
    return {};
  SmallVector<AffineExpr> inputs;
  for (Value operand : op->getOperands())
    if (AffineExpr input = express(operand))
      inputs.push_back(input);
    else
      return {};
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    ArrayRef<AffineExpr> all(inputs);
    unsigned dims = apply.getAffineMap().getNumDims();
    return apply.getAffineMap().getResult(0).replaceDimsAndSymbols(
        all.take_front(dims), all.drop_front(dims));
  }
  if (isa<arith::IndexCastOp>(op))
    return inputs[0];
  if (isa<arith::AddIOp>(op))
    return inputs[0] + inputs[1];
  if (isa<arith::SubIOp>(op))
    return inputs[0] - inputs[1];
  if (!isa<AffineConstantExpr>(inputs[0]) &&
      !isa<AffineConstantExpr>(inputs[1]))
    return {};
  return inputs[0] * inputs[1];
}

std::string Nest::describe(ArrayRef<int64_t> point) const {
  SmallVector<int64_t> indices, loops, lanes;
  for (auto [dim, value] : llvm::enumerate(point)) {
    if (dim >= size())
      lanes.push_back(value);
    else if (isData(dim))
      continue;
    else if (isa<GridOp>(
                 cast<BlockArgument>(variables[dim]).getOwner()->getParentOp()))
      indices.push_back(value);
    else
      loops.push_back(value);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  auto list = [&](StringRef what, ArrayRef<int64_t> values) {
    os << what << " (";
    llvm::interleaveComma(values, os);
    os << ")";
  };
  list("at grid point", indices);
  if (!loops.empty())
    list(", loop index", loops);
  if (!lanes.empty())
    list(", lane", lanes);
  return text;
}

//===-- Accesses
//--------------------------------------------------------------//

static ArrayRef<int64_t> shapeOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape();
}

template <typename Op> static AccessParts partsOfAccess(Op op) {
  AccessParts parts{op,
                    op.getArray(),
                    op.getAt(),
                    op.getAccess(),
                    op.getBounds(),
                    shapeOf(op.getTile())};
  parts.lookup = op.getLookup();
  if (op.getAxisAttr())
    parts.axis = op.getAxisAttr().getInt();
  return parts;
}
AccessParts drawloom::tile::partsOf(LoadOp op) { return partsOfAccess(op); }
AccessParts drawloom::tile::partsOf(StoreOp op) { return partsOfAccess(op); }
AccessParts drawloom::tile::partsOf(ReadOp op) {
  return {op, op.getArray(), op.getAt(), op.getAccess(), std::nullopt, {}};
}
AccessParts drawloom::tile::partsOf(IndexOp op) {
  return {op, {}, op.getAt(), {}, std::nullopt, shapeOf(op.getTile())};
}
AccessParts drawloom::tile::partsOf(MaskOp op) {
  return {op, {}, op.getAt(), {}, op.getBounds(), shapeOf(op.getTile())};
}

bool AccessForm::dependsOnData(AffineExpr expr) const {
  return llvm::any_of(data.set_bits(),
                      [&](unsigned dim) { return expr.isFunctionOfDim(dim); });
}

SmallVector<AffineExpr>
drawloom::tile::replacementsOf(const Nest &nest, ValueRange at,
                               ArrayRef<AffineExpr> lanes) {
  SmallVector<AffineExpr> replacements;
  for (Value index : at)
    if (AffineExpr expr = nest.express(index))
      replacements.push_back(expr);
    else
      return {};
  replacements.append(lanes.begin(), lanes.end());
  return replacements;
}

FailureOr<AccessForm> drawloom::tile::formOf(const Nest &nest,
                                             const AccessParts &parts) {
  MLIRContext *context = parts.op->getContext();
  AccessForm form{
      parts.array, nest.size(),   unsigned(parts.shape.size()),
      {},          nest.domain(), llvm::SmallBitVector(nest.size())};
  for (unsigned dim = 0; dim < nest.size(); ++dim)
    form.data[dim] = nest.isBoundedByData(dim);
  form.points.dims += form.lanes + bool(parts.lookup);
  form.data.resize(form.points.dims);
  SmallVector<AffineExpr> lanes;
  if (parts.lookup) {
    lanes.push_back(getAffineDimExpr(form.points.dims - 1, context));
    form.points.nonNegative.push_back(lanes.front());
    form.data.set(form.points.dims - 1);
  }
  for (auto [axis, size] : llvm::enumerate(parts.shape)) {
    AffineExpr lane = getAffineDimExpr(form.firstLane + axis, context);
    lanes.push_back(lane);
    form.points.nonNegative.append({lane, size - 1 - lane});
  }
  SmallVector<AffineExpr> replacements = replacementsOf(nest, parts.at, lanes);
  if (replacements.size() != parts.at.size() + lanes.size()) {
    // Reuse, multicast and halo are read off the accesses' coefficients.
    auto error = parts.op->emitError(
        "the indices of an access must be affine in grid and "
        "loop indices and in integers read from memory");
    error.attachNote()
        << "the front door evaluates what feeds an address over the launch";
    return failure();
  }
  if (parts.access)
    for (AffineExpr expr : parts.access.getResults())
      form.subscripts.push_back(expr.replaceDims(replacements));
  if (parts.bounds)
    for (AffineExpr expr : parts.bounds->getConstraints())
      form.points.nonNegative.push_back(expr.replaceDims(replacements));
  return form;
}
