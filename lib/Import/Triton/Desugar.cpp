// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs of the source that others can say.

#include "Desugar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace drawloom::tt {

//===-- Branches ------------------------------------------------------------//

/// What `value` is made from, one step back.
static SmallVector<Value> sourcesOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return {};
    return {loop.getTiedLoopInit(argument)->get(),
            loop.getTiedLoopYieldedValue(argument)->get()};
  }
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto branch = value.getDefiningOp<scf::IfOp>())
    return {branch.getCondition(), branch.thenYield()->getOperand(number),
            branch.elseYield()->getOperand(number)};
  if (auto loop = value.getDefiningOp<scf::ForOp>())
    return {loop.getInitArgs()[number], loop.getYieldedValues()[number]};
  return SmallVector<Value>(value.getDefiningOp()->getOperands());
}

/// Whether the compute engine makes `value`: it comes from lanes that were
/// combined or from a float in memory.
static bool isComputed(Value value) {
  SmallVector<Value> open = {value};
  llvm::DenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(next.getType()));
    if (isa_and_nonnull<ReduceOp, ScanOp, DotOp>(op) ||
        (isa_and_nonnull<LoadOp, DescriptorLoadOp>(op) && isFloat))
      return true;
    if (!isa_and_nonnull<LoadOp, DescriptorLoadOp>(op))
      llvm::append_range(open, sourcesOf(next));
  }
  return false;
}

/// Whether both sides of a branch may run: each operation touches no memory, or
/// what a mask lets it.
static bool mayRunBoth(scf::IfOp branch) {
  for (Region *region : branch.getRegions())
    for (Operation &op : region->getOps())
      if (!isMemoryEffectFree(&op) && !isa<LoadOp, StoreOp>(op))
        return false;
  return true;
}

/// `truth` for every lane of `type`.
static Value repeated(OpBuilder &b, Location loc, Value truth, Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? SplatOp::create(b, loc, tile.clone(b.getI1Type()), truth).getResult() : truth;
}

/// Lets a load or store of a tile touch lanes only where `truth` holds too.
static void mask(Operation *op, Value truth) {
  OpBuilder b(op);
  auto both = [&](Value mask, Type lanes) -> Value {
    Value all = repeated(b, op->getLoc(), truth, lanes);
    return mask ? arith::AndIOp::create(b, op->getLoc(), mask, all) : all;
  };
  if (auto store = dyn_cast<StoreOp>(op)) {
    store.getMaskMutable().assign(both(store.getMask(), store.getValue().getType()));
  } else if (auto load = dyn_cast<LoadOp>(op); load && isa<RankedTensorType>(load.getType())) {
    SmallVector<Value> masking = {both(load.getMask(), load.getType())};
    if (Value other = load.getOther())
      masking.push_back(other);
    load.getMaskingMutable().assign(masking);
  }
}

/// Both sides run, on lanes that the condition leaves them; then results are
/// chosen.
static void runBoth(scf::IfOp branch) {
  OpBuilder b(branch);
  Location loc = branch.getLoc();
  Value truth = branch.getCondition();
  for (Region *region : branch.getRegions()) {
    if (region->empty())
      continue;
    if (region == &branch.getElseRegion())
      truth = arith::XOrIOp::create(b, loc, truth, arith::ConstantOp::create(b, loc, b.getBoolAttr(true)));
    for (Operation &op : llvm::make_early_inc_range(region->front().without_terminator())) {
      op.moveBefore(branch);
      mask(&op, truth);
    }
  }
  for (auto [i, result] : llvm::enumerate(branch.getResults())) {
    Value condition = repeated(b, loc, branch.getCondition(), result.getType());
    result.replaceAllUsesWith(arith::SelectOp::create(b, loc, condition, branch.thenYield().getOperand(i),
                                                      branch.elseYield().getOperand(i)));
  }
  branch.erase();
}

/// A scalar that chooses between tiles chooses in every lane: what is left of a
/// branch that only replaces a tile, such as one that starts a sum anew.
static void chooseByLane(arith::SelectOp select) {
  OpBuilder b(select);
  if (!isa<RankedTensorType>(select.getCondition().getType()))
    select.getConditionMutable().assign(repeated(b, select.getLoc(), select.getCondition(), select.getType()));
}

//===-- Histograms ----------------------------------------------------------//

/// `vector` along one axis of a matrix of `rows` and `columns`.
static Value along(OpBuilder &b, Location loc, Value vector, unsigned missingAxis, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(vector.getType());
  SmallVector<int64_t> thin(shape);
  thin[missingAxis] = 1;
  Value expanded = ExpandDimsOp::create(b, loc, type.clone(thin), vector, b.getI32IntegerAttr(missingAxis));
  return BroadcastOp::create(b, loc, type.clone(shape), expanded);
}

/// How many lanes hold each bin's number: a matrix of lanes by bins, summed.
static void count(HistogramOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto values = cast<RankedTensorType>(op.getSource().getType());
  auto counts = cast<RankedTensorType>(op.getResult().getType());
  int64_t bins = counts.getDimSize(0), shape[] = {values.getDimSize(0), bins};
  Value numbers = MakeRangeOp::create(b, loc, RankedTensorType::get({bins}, values.getElementType()),
                                      b.getI32IntegerAttr(0), b.getI32IntegerAttr(bins));
  Value equal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, along(b, loc, op.getSource(), 1, shape),
                                      along(b, loc, numbers, 0, shape));
  if (op.getMask())
    equal = arith::AndIOp::create(b, loc, equal, along(b, loc, op.getMask(), 1, shape));
  Value ones = arith::ExtUIOp::create(b, loc, counts.clone(shape), equal);
  auto sum = ReduceOp::create(b, loc, TypeRange(counts), ValueRange(ones), b.getI32IntegerAttr(0));
  Type number = counts.getElementType();
  b.createBlock(&sum.getCombine(), {}, {number, number}, {loc, loc});
  Block &combine = sum.getCombine().front();
  Value added = arith::AddIOp::create(b, loc, combine.getArgument(0), combine.getArgument(1));
  ReduceReturnOp::create(b, loc, ValueRange(added));
  op.getResult().replaceAllUsesWith(sum.getResult(0));
  op.erase();
}

void desugar(FuncOp function) {
  function.walk([](Operation *op) {
    if (auto histogram = dyn_cast<HistogramOp>(op))
      count(histogram);
    else if (auto select = dyn_cast<arith::SelectOp>(op))
      chooseByLane(select);
    else if (auto branch = dyn_cast<scf::IfOp>(op);
             branch && mayRunBoth(branch) && isComputed(branch.getCondition()))
      runBoth(branch);
  });
}

} // namespace drawloom::tt
