// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that no load defines must not reach a result.

#include "UndefinedLanes.h"
#include "Nest.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom::tile;

namespace {

/// Lanes of a value are undefined where a constraint of a load does not hold,
/// read with the lane number along `axis` of the value; -1: along none.
struct Gap {
  LoadOp load;
  unsigned constraint;
  int axis;
  bool operator==(const Gap &other) const {
    return load == other.load && constraint == other.constraint &&
           axis == other.axis;
  }
};
using Gaps = SmallVector<Gap, 2>;

class Flow {
public:
  LogicalResult run(Block &block);

private:
  LogicalResult visit(Operation *op);
  LogicalResult visitLoad(LoadOp load);
  LogicalResult visitStore(StoreOp store);
  LogicalResult visitMask(MaskOp mask);
  LogicalResult visitLookup(const AccessParts &parts);
  LogicalResult visitProduct(linalg::LinalgOp product, int firstAxis);
  LogicalResult visitReduce(linalg::ReduceOp reduce);
  LogicalResult visitScan(ScanOp scan);
  LogicalResult visitBranch(scf::IfOp branch);
  LogicalResult visitReshape(Operation *op,
                             ArrayRef<ReassociationIndices> groups,
                             bool collapse);
  LogicalResult visitLoop(scf::ForOp loop);

  /// Merges `gaps` into those of `value`; true when there were new ones.
  bool merge(Value value, ArrayRef<Gap> gaps) {
    bool grown = false;
    for (const Gap &gap : gaps)
      if (!llvm::is_contained(gapsOf[value], gap)) {
        gapsOf[value].push_back(gap);
        grown = true;
      }
    return grown;
  }
  /// The gaps of `from` with axes renumbered; `renumber` gives nothing where
  /// the operation would spread undefined lanes to others.
  LogicalResult carry(Operation *op, Value from, Value to, StringRef doing,
                      llvm::function_ref<std::optional<int>(int)> renumber);
  LogicalResult carry(Operation *op, Value from, StringRef doing,
                      llvm::function_ref<std::optional<int>(int)> renumber) {
    return carry(op, from, op->getResult(0), doing, renumber);
  }
  LogicalResult refuse(Operation *op, const Gap &gap, const Twine &doing);
  FailureOr<std::optional<std::string>> openLane(const AccessParts &parts,
                                                 const Gap &gap);

  llvm::DenseMap<Value, Gaps> gapsOf;
};

} // namespace

static std::optional<int> sameAxis(int axis) { return axis; }

LogicalResult Flow::refuse(Operation *op, const Gap &gap, const Twine &doing) {
  // What such lanes hold differs between machines and runs; a NaN among them
  // survives every later multiplication by zero.
  auto error = op->emitError("undefined lanes reach ") << doing;
  error.attachNote(LoadOp(gap.load).getLoc())
      << "bound " << gap.constraint
      << " of this load leaves them undefined; give it a padding value "
         "(`else`)";
  return failure();
}

LogicalResult
Flow::carry(Operation *op, Value from, Value to, StringRef doing,
            llvm::function_ref<std::optional<int>(int)> renumber) {
  Gaps gaps = gapsOf.lookup(from);
  for (Gap &gap : gaps) {
    std::optional<int> axis = renumber(gap.axis);
    if (!axis)
      return refuse(op, gap, doing);
    gap.axis = *axis;
  }
  merge(to, gaps);
  return success();
}

/// Where, among the lanes `parts` touches, `gap` is open; nothing when nowhere.
FailureOr<std::optional<std::string>> Flow::openLane(const AccessParts &parts,
                                                     const Gap &gap) {
  MLIRContext *context = parts.op->getContext();
  LoadOp load = gap.load;
  Nest nest(context);
  if (failed(nest.enter(parts.op)) || failed(nest.enter(load)))
    return failure();
  auto form = formOf(nest, parts);
  if (failed(form))
    return failure();
  AccessParts source = partsOf(load);
  SmallVector<AffineExpr> lanes;
  if (source.lookup) {
    // The value looked up here is the one looked up there, or any.
    bool same = source.lookup == parts.lookup && gap.axis == parts.axis;
    if (!same)
      form->points.nonNegative.push_back(
          getAffineDimExpr(form->points.dims++, context));
    lanes.push_back(getAffineDimExpr(form->points.dims - 1, context));
  }
  AffineExpr constraint = load.getBounds()->getConstraint(gap.constraint);
  for (unsigned lane = 0; lane < source.shape.size(); ++lane)
    lanes.push_back(gap.axis >= 0 &&
                            constraint.isFunctionOfDim(source.laneDim(lane))
                        ? getAffineDimExpr(form->firstLane + gap.axis, context)
                        : getAffineConstantExpr(0, context));
  auto replacements = replacementsOf(nest, load.getAt(), lanes);
  if (replacements.size() != load.getAt().size() + lanes.size())
    return std::optional<std::string>("at an index that is not affine");
  form->points.nonNegative.push_back(-1 - constraint.replaceDims(replacements));
  if (auto point = form->points.find())
    return std::optional<std::string>(nest.describe(
        ArrayRef(*point).take_front(form->firstLane + form->lanes)));
  return std::optional<std::string>();
}

/// Lanes whose looked-up value is undefined must be outside the bounds that do
/// not ask for the value.
LogicalResult Flow::visitLookup(const AccessParts &parts) {
  if (!parts.lookup)
    return success();
  AccessParts before = parts;
  if (parts.bounds) {
    SmallVector<AffineExpr> constraints;
    for (AffineExpr constraint : parts.bounds->getConstraints())
      if (!constraint.isFunctionOfDim(parts.at.size()))
        constraints.push_back(constraint);
    before.bounds.reset();
    if (!constraints.empty())
      before.bounds =
          IntegerSet::get(parts.bounds->getNumDims(), 0, constraints,
                          SmallVector<bool>(constraints.size(), false));
  }
  for (Gap gap : gapsOf.lookup(parts.lookup)) {
    gap.axis = gap.axis < 0 ? -1 : int(parts.axis);
    auto open = openLane(before, gap);
    if (failed(open))
      return failure();
    if (*open)
      return refuse(parts.op, gap, "an address " + **open);
  }
  return success();
}

LogicalResult Flow::visitLoad(LoadOp load) {
  AccessParts parts = partsOf(load);
  if (failed(visitLookup(parts)))
    return failure();
  if (!load.getBounds() || load.getPadAttr())
    return success();
  parts.bounds.reset();
  for (unsigned i = 0; i < load.getBounds()->getNumConstraints(); ++i) {
    Gap gap{load, i, -1};
    AffineExpr constraint = load.getBounds()->getConstraint(i);
    for (unsigned lane = 0; lane < parts.shape.size(); ++lane)
      if (constraint.isFunctionOfDim(parts.laneDim(lane)))
        gap.axis = lane;
    if (parts.lookup && constraint.isFunctionOfDim(parts.at.size()))
      gap.axis = parts.axis;
    auto open = openLane(parts, gap);
    if (failed(open))
      return failure();
    if (*open)
      merge(load.getTile(), gap);
  }
  return success();
}

LogicalResult Flow::visitStore(StoreOp store) {
  if (failed(visitLookup(partsOf(store))))
    return failure();
  for (const Gap &gap : gapsOf.lookup(store.getTile())) {
    auto open = openLane(partsOf(store), gap);
    if (failed(open))
      return failure();
    if (*open)
      return refuse(store, gap, "memory " + **open);
  }
  return success();
}

LogicalResult Flow::visitMask(MaskOp mask) {
  for (const Gap &gap : gapsOf.lookup(mask.getTile())) {
    auto open = openLane(partsOf(mask), gap);
    if (failed(open))
      return failure();
    if (*open)
      merge(mask.getResult(), gap);
  }
  return success();
}

/// `firstAxis`: of the rows; batches lie before them.
LogicalResult Flow::visitProduct(linalg::LinalgOp product, int firstAxis) {
  auto allBut = [](int summed) {
    return [summed](int axis) {
      return axis >= 0 && axis != summed ? std::optional<int>(axis)
                                         : std::nullopt;
    };
  };
  // A row of the left operand only reaches its row of the result, a column of
  // the right operand its column.
  StringRef doing = "the sums of a product";
  return success(
      succeeded(carry(product, product->getOperand(0), doing,
                      allBut(firstAxis + 1))) &&
      succeeded(
          carry(product, product->getOperand(1), doing, allBut(firstAxis))) &&
      succeeded(carry(product, product->getOperand(2), doing, sameAxis)));
}

LogicalResult Flow::visitReduce(linalg::ReduceOp reduce) {
  auto kept = [&](int axis) -> std::optional<int> {
    if (axis < 0 || llvm::is_contained(reduce.getDimensions(), axis))
      return std::nullopt;
    return axis - llvm::count_if(reduce.getDimensions(),
                                 [&](int64_t d) { return d < axis; });
  };
  // The combiner may make each result of every operand.
  for (Value result : reduce->getResults()) {
    for (Value input : reduce.getInputs())
      if (failed(carry(reduce, input, result, "a reduction", kept)))
        return failure();
    for (Value init : reduce.getInits())
      if (failed(carry(reduce, init, result, "a reduction", sameAxis)))
        return failure();
  }
  return success();
}

LogicalResult Flow::visitScan(ScanOp scan) {
  auto kept = [&](int axis) -> std::optional<int> {
    return axis < 0 || axis == int64_t(scan.getAxis()) ? std::nullopt
                                                       : std::optional(axis);
  };
  for (Value result : scan->getResults())
    for (Value tile : scan.getTiles())
      if (failed(carry(scan, tile, result, "a scan", kept)))
        return failure();
  return success();
}

LogicalResult Flow::visitBranch(scf::IfOp branch) {
  for (Region &region : branch->getRegions()) {
    if (region.empty())
      continue;
    if (failed(run(region.front())))
      return failure();
    for (auto [result, yielded] :
         llvm::zip_equal(branch.getResults(),
                         region.front().getTerminator()->getOperands()))
      merge(result, gapsOf.lookup(yielded));
  }
  return success();
}

LogicalResult Flow::visitReshape(Operation *op,
                                 ArrayRef<ReassociationIndices> groups,
                                 bool collapse) {
  Type wide =
      collapse ? op->getOperand(0).getType() : op->getResult(0).getType();
  auto shape = cast<RankedTensorType>(wide).getShape();
  /// The one axis of a group that is longer than 1; nothing if there are more.
  auto longAxis = [&](ArrayRef<int64_t> group) -> std::optional<int> {
    auto axes = llvm::to_vector(llvm::make_filter_range(
        group, [&](int64_t a) { return shape[a] != 1; }));
    if (axes.size() > 1)
      return std::nullopt;
    return axes.empty() ? group.front() : axes.front();
  };
  return carry(op, op->getOperand(0), "a reshape that mixes axes",
               [&](int axis) -> std::optional<int> {
                 if (axis < 0)
                   return axis;
                 if (!collapse)
                   return longAxis(groups[axis]);
                 for (auto [number, group] : llvm::enumerate(groups))
                   if (llvm::is_contained(group, axis))
                     return longAxis(group) == axis ? std::optional<int>(number)
                                                    : std::nullopt;
                 return std::nullopt;
               });
}

LogicalResult Flow::visitLoop(scf::ForOp loop) {
  for (auto [argument, init] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
    merge(argument, gapsOf.lookup(init));
  // Gaps only grow and there are finitely many.
  for (bool grown = true; grown;) {
    if (failed(run(*loop.getBody())))
      return failure();
    grown = false;
    for (auto [argument, yielded] :
         llvm::zip_equal(loop.getRegionIterArgs(),
                         loop.getBody()->getTerminator()->getOperands()))
      grown |= merge(argument, gapsOf.lookup(yielded));
  }
  for (auto [result, argument] :
       llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs()))
    merge(result, gapsOf.lookup(argument));
  return success();
}

LogicalResult Flow::visit(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](LoadOp load) { return visitLoad(load); })
      .Case([&](StoreOp store) { return visitStore(store); })
      .Case([&](MaskOp mask) { return visitMask(mask); })
      .Case([&](linalg::MatmulOp product) {
        return visitProduct(cast<linalg::LinalgOp>(op), 0);
      })
      .Case([&](linalg::BatchMatmulOp product) {
        return visitProduct(cast<linalg::LinalgOp>(op), 1);
      })
      .Case([&](ScanOp scan) { return visitScan(scan); })
      .Case([&](scf::IfOp branch) { return visitBranch(branch); })
      .Case([&](linalg::ReduceOp reduce) { return visitReduce(reduce); })
      .Case([&](scf::ForOp loop) { return visitLoop(loop); })
      .Case([&](linalg::BroadcastOp broadcast) {
        return carry(
            op, broadcast.getInput(), "a broadcast",
            [&](int axis) -> std::optional<int> {
              if (axis < 0)
                return axis;
              int result = 0;
              for (int rest = axis;; ++result)
                if (!llvm::is_contained(broadcast.getDimensions(), result) &&
                    rest-- == 0)
                  return result;
            });
      })
      .Case([&](linalg::TransposeOp transpose) {
        return carry(op, transpose.getInput(), "a transpose",
                     [&](int axis) -> std::optional<int> {
                       return axis < 0 ? axis
                                       : llvm::find(transpose.getPermutation(),
                                                    axis) -
                                             transpose.getPermutation().begin();
                     });
      })
      .Case([&](tensor::CollapseShapeOp reshape) {
        return visitReshape(op, reshape.getReassociationIndices(),
                            /*collapse=*/true);
      })
      .Case([&](tensor::ExpandShapeOp reshape) {
        return visitReshape(op, reshape.getReassociationIndices(),
                            /*collapse=*/false);
      })
      .Default([&](Operation *) {
        // Lane by lane: a lane is undefined if it is in any operand.
        for (Value result : op->getResults())
          for (Value operand : op->getOperands())
            merge(result, gapsOf.lookup(operand));
        return success();
      });
}

LogicalResult Flow::run(Block &block) {
  for (Operation &op : block)
    if (failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult drawloom::tile::verifyDefinedLanes(GridOp grid) {
  return Flow().run(grid.getBody().front());
}
