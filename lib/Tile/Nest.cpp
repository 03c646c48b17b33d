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
      if (llvm::is_contained(variables, grid.getIndex(0)))
        continue;
      for (auto [dim, extent] : llvm::enumerate(grid.getExtents())) {
        AffineExpr index = add(grid.getIndex(dim));
        points.nonNegative.append({index, extent - 1 - index});
      }
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (!llvm::is_contained(variables, loop.getInductionVar()) &&
          failed(enterLoop(loop)))
        return failure();
    }
  }
  return success();
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
  // iterations must follow from indices alone.
  auto lower = alternatives(loop.getLowerBound(), /*largest=*/true);
  auto upper = alternatives(loop.getUpperBound(), /*largest=*/false);
  APInt step;
  if (llvm::is_contained(lower, AffineExpr()) ||
      llvm::is_contained(upper, AffineExpr()) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive()) {
    auto error = loop.emitError(
        "a loop of a tile program needs bounds that are affine in "
        "grid and loop indices, and a constant positive step");
    error.attachNote()
        << "the front door specialises bounds on the launch's arguments";
    return error;
  }
  if (lower.size() > 1 && !step.isOne())
    return loop.emitError(
        "a loop from the largest of several bounds needs a step of 1");
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
  std::string text = "at grid point (";
  llvm::raw_string_ostream os(text);
  unsigned dim = 0;
  auto list = [&](auto belongs) {
    for (bool first = true; dim < point.size() && belongs(dim);
         ++dim, first = false)
      os << (first ? "" : ", ") << point[dim];
  };
  auto isIndex = [&](unsigned d) {
    return d < size() &&
           isa<GridOp>(
               cast<BlockArgument>(variables[d]).getOwner()->getParentOp());
  };
  list(isIndex);
  os << ")";
  if (dim < size()) {
    os << ", loop index (";
    list([&](unsigned d) { return d < size(); });
    os << ")";
  }
  if (dim < point.size()) {
    os << ", lane (";
    list([](unsigned) { return true; });
    os << ")";
  }
  return text;
}

//===-- Accesses
//--------------------------------------------------------------//

static ArrayRef<int64_t> shapeOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape();
}

AccessParts drawloom::tile::partsOf(LoadOp op) {
  return {op,
          op.getArray(),
          op.getAt(),
          op.getAccess(),
          op.getBounds(),
          shapeOf(op.getTile())};
}
AccessParts drawloom::tile::partsOf(StoreOp op) {
  return {op,
          op.getArray(),
          op.getAt(),
          op.getAccess(),
          op.getBounds(),
          shapeOf(op.getTile())};
}
AccessParts drawloom::tile::partsOf(MaskOp op) {
  return {op, {}, op.getAt(), {}, op.getBounds(), shapeOf(op.getTile())};
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
  AccessForm form{parts.array,
                  nest.size(),
                  unsigned(parts.shape.size()),
                  {},
                  nest.domain()};
  form.points.dims += form.lanes;
  SmallVector<AffineExpr> lanes;
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
        "loop indices");
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
