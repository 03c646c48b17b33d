// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes axes of one lane out of tiles of three and more axes.
//
// Axes that operations put in one place are one: such a set of axes is dropped
// as a whole, from all its tiles, unless some operation needs it (a product its
// rows and columns, a lookup its lanes).

#include "drawloom/Tile/TilePasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace drawloom::tile;

static RankedTensorType tensorOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

namespace {

class UnitAxes {
public:
  explicit UnitAxes(GridOp grid) : grid(grid) {}
  void run();

private:
  using Axis = std::pair<void *, int64_t>; ///< of a value

  void separateConstants();
  void visit(Operation *op);
  void join(Value a, int64_t i, Value b, int64_t j) { sets.unionSets(axis(a, i), axis(b, j)); }
  void joinAll(Value a, Value b);
  void joinGroups(Value wide, Value thin, ArrayRef<ReassociationIndices> groups);
  void keepAll(Value value);
  void choose();
  Axis axis(Value value, int64_t i) { return {value.getAsOpaquePointer(), i}; }
  bool isDropped(Value value, int64_t i);
  /// Where axis `i` goes among those that stay.
  int64_t placeOf(ArrayRef<bool> dropped, int64_t i) { return i - llvm::count(dropped.take_front(i), true); }
  SmallVector<bool> droppedOf(Value value);
  RankedTensorType squeezed(Value value);

  // Operations after their values have new types; the old axes are told by
  // what was found before.
  void rewrite(Operation *op);
  void rewriteLanes(Operation *op, Value tile);
  void rewrite(linalg::ReduceOp op);
  void rewriteReshape(Operation *op);
  void replace(Operation *op, ValueRange values);

  GridOp grid;
  llvm::EquivalenceClasses<Axis> sets;
  SmallVector<Value> values;
  SmallVector<Axis> kept;
  llvm::DenseSet<Axis> droppedLeaders;
  llvm::DenseMap<Value, SmallVector<bool>> dropped; ///< of values that lose axes
};

} // namespace

//===-- Which axes are one --------------------------------------------------//

/// Constants that many use join nothing.
void UnitAxes::separateConstants() {
  SmallVector<Operation *> constants;
  grid.getBody().walk([&](Operation *op) {
    if (isa<arith::ConstantOp, tensor::EmptyOp>(op) && tensorOf(op->getResult(0)) && !op->use_empty())
      constants.push_back(op);
  });
  for (Operation *op : constants)
    for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(op->getResult(0).getUses())))
      use.set(OpBuilder(op).clone(*op)->getResult(0));
}

void UnitAxes::joinAll(Value a, Value b) {
  if (tensorOf(a) && tensorOf(b) && tensorOf(a).getShape() == tensorOf(b).getShape())
    for (int64_t i = 0; i < tensorOf(a).getRank(); ++i)
      join(a, i, b, i);
}

void UnitAxes::keepAll(Value value) {
  if (tensorOf(value))
    for (int64_t i = 0; i < tensorOf(value).getRank(); ++i)
      kept.push_back(axis(value, i));
}

void UnitAxes::joinGroups(Value wide, Value thin, ArrayRef<ReassociationIndices> groups) {
  for (auto [i, group] : llvm::enumerate(groups))
    for (int64_t part : group)
      if (group.size() == 1 ||
          (tensorOf(thin).getDimSize(i) != 1 && tensorOf(wide).getDimSize(part) == tensorOf(thin).getDimSize(i)))
        join(wide, part, thin, i);
}

void UnitAxes::visit(Operation *op) {
  auto eachOther = [&](ArrayRef<int64_t> axes, Value wide, Value thin) {
    for (int64_t i = 0, next = 0; i < tensorOf(wide).getRank(); ++i)
      if (!llvm::is_contained(axes, i))
        join(wide, i, thin, next++);
  };
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op)) {
    for (auto [input, init, result] : llvm::zip(reduce.getInputs(), reduce.getInits(), reduce.getResults())) {
      eachOther(reduce.getDimensions(), input, result);
      joinAll(init, result);
      joinAll(input, reduce.getInputs()[0]);
    }
  } else if (auto repeat = dyn_cast<linalg::BroadcastOp>(op)) {
    eachOther(repeat.getDimensions(), repeat.getResult()[0], repeat.getInput());
    joinAll(repeat.getInit(), repeat.getResult()[0]);
  } else if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    for (auto [i, from] : llvm::enumerate(transpose.getPermutation()))
      join(transpose.getResult()[0], i, transpose.getInput(), from);
    joinAll(transpose.getInit(), transpose.getResult()[0]);
  } else if (auto product = dyn_cast<linalg::BatchMatmulOp>(op)) {
    Value result = product.getResult(0);
    for (Value operand : op->getOperands()) {
      join(operand, 0, result, 0);
      for (int64_t i : {1, 2})
        kept.push_back(axis(operand, i));
    }
    joinAll(product.getOutputs()[0], result);
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    joinGroups(expand.getResult(), expand.getSrc(), expand.getReassociationIndices());
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    joinGroups(collapse.getSrc(), collapse.getResult(), collapse.getReassociationIndices());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, arg, yielded, result] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults()))
      for (Value other : {Value(init), Value(yielded), Value(result)})
        joinAll(arg, other);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (auto [i, result] : llvm::enumerate(branch.getResults())) {
      joinAll(result, branch.thenYield().getOperand(i));
      joinAll(result, branch.elseYield().getOperand(i));
    }
  } else if (isa<LoadOp, StoreOp>(op)) {
    Value lookup = isa<LoadOp>(op) ? cast<LoadOp>(op).getLookup() : cast<StoreOp>(op).getLookup();
    if (lookup) {
      keepAll(lookup);
      keepAll(isa<LoadOp>(op) ? op->getResult(0) : op->getOperand(0));
    }
  } else if ((isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp>(op)) || isa<tensor::ExtractSliceOp>(op)) {
    for (Value value : op->getOperands())
      keepAll(value);
    for (Value value : op->getResults())
      keepAll(value);
  } else if (op->getNumResults()) {
    for (Value operand : op->getOperands())
      joinAll(op->getResult(0), operand);
    for (Value result : op->getResults())
      joinAll(op->getResult(0), result);
  }
}

void UnitAxes::choose() {
  llvm::DenseSet<Axis> wanted, needed;
  for (Axis axis : kept)
    needed.insert(sets.getOrInsertLeaderValue(axis));
  for (Value value : values)
    for (auto [i, size] : llvm::enumerate(tensorOf(value).getShape()))
      if (size == 1 && tensorOf(value).getRank() >= 3)
        wanted.insert(sets.getOrInsertLeaderValue(axis(value, i)));
  for (Axis axis : wanted)
    if (!needed.contains(axis))
      droppedLeaders.insert(axis);
}

bool UnitAxes::isDropped(Value value, int64_t i) {
  return droppedLeaders.contains(sets.getOrInsertLeaderValue(axis(value, i)));
}

//===-- Without them --------------------------------------------------------//

SmallVector<bool> UnitAxes::droppedOf(Value value) {
  auto found = dropped.find(value);
  return found == dropped.end() ? SmallVector<bool>(tensorOf(value).getRank(), false) : found->second;
}

RankedTensorType UnitAxes::squeezed(Value value) {
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(tensorOf(value).getShape()))
    if (!isDropped(value, i))
      shape.push_back(size);
  return RankedTensorType::get(shape, tensorOf(value).getElementType());
}

void UnitAxes::replace(Operation *op, ValueRange values) {
  for (auto [result, value] : llvm::zip(op->getResults(), values))
    if (auto found = dropped.find(result); found != dropped.end()) {
      SmallVector<bool> axes = std::move(found->second);
      dropped.erase(found); // another value may take its place
      dropped.try_emplace(value, std::move(axes));
    }
  op->replaceAllUsesWith(values);
  op->erase();
}

/// The lanes of accesses, masks and numbers: a dropped one is lane 0.
void UnitAxes::rewriteLanes(Operation *op, Value tile) {
  SmallVector<bool> gone = droppedOf(tile);
  MLIRContext *context = op->getContext();
  auto withoutLanes = [&](unsigned dims, SmallVector<AffineExpr> &replaced) {
    unsigned first = dims - gone.size(), next = 0;
    for (unsigned dim = 0; dim < dims; ++dim) {
      bool drops = dim >= first && gone[dim - first];
      replaced.push_back(drops ? getAffineConstantExpr(0, context) : getAffineDimExpr(next, context));
      next += !drops;
    }
    return next;
  };
  auto map = [&](AffineMap old) {
    SmallVector<AffineExpr> replaced;
    unsigned dims = withoutLanes(old.getNumDims(), replaced);
    return AffineMapAttr::get(old.replaceDimsAndSymbols(replaced, {}, dims, 0));
  };
  auto set = [&](IntegerSet old) {
    SmallVector<AffineExpr> replaced;
    unsigned dims = withoutLanes(old.getNumDims(), replaced);
    return IntegerSetAttr::get(old.replaceDimsAndSymbols(replaced, {}, dims, 0));
  };
  auto access = [&](auto op) {
    op.setAccessAttr(map(op.getAccess()));
    if (auto bounds = op.getBounds())
      op.setBoundsAttr(set(*bounds));
  };
  if (auto load = dyn_cast<LoadOp>(op))
    access(load);
  else if (auto store = dyn_cast<StoreOp>(op))
    access(store);
  else if (auto mask = dyn_cast<MaskOp>(op))
    mask.setBoundsAttr(set(mask.getBounds()));
  else if (auto index = dyn_cast<IndexOp>(op))
    index.setMapAttr(map(index.getMap()));
}

/// Nothing is combined along an axis of one lane but the start.
void UnitAxes::rewrite(linalg::ReduceOp op) {
  SmallVector<bool> gone = droppedOf(op.getInputs()[0]);
  SmallVector<int64_t> dims;
  for (int64_t dim : op.getDimensions())
    if (!gone[dim])
      dims.push_back(placeOf(gone, dim));
  if (!dims.empty())
    return op.setDimensions(dims);
  OpBuilder b(op);
  IRMapping mapping;
  Block &body = op.getCombiner().front();
  mapping.map(body.getArguments(), op->getOperands());
  for (Operation &inner : body.without_terminator()) {
    Operation *wide = b.clone(inner, mapping);
    auto type = RankedTensorType::get(tensorOf(op.getInputs()[0]).getShape(), inner.getResult(0).getType());
    if (auto constant = dyn_cast<arith::ConstantOp>(wide))
      constant.setValueAttr(DenseElementsAttr::get(type, Attribute(constant.getValue())));
    wide->getResult(0).setType(type);
  }
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  replace(op, results);
}

void UnitAxes::rewriteReshape(Operation *op) {
  Value value = op->getOperand(0);
  RankedTensorType to = tensorOf(op->getResult(0));
  OpBuilder b(op);
  auto reshape = [&](RankedTensorType type) {
    if (type == value.getType())
      return;
    bool thinner = type.getRank() < tensorOf(value).getRank();
    auto groups = *getReassociationIndicesForReshape(tensorOf(value), type);
    value = thinner ? Value(tensor::CollapseShapeOp::create(b, op->getLoc(), type, value, groups))
                    : Value(tensor::ExpandShapeOp::create(b, op->getLoc(), type, value, groups));
  };
  if (to != value.getType() && !getReassociationIndicesForReshape(tensorOf(value), to))
    reshape(RankedTensorType::get({to.getNumElements()}, to.getElementType()));
  reshape(to);
  replace(op, value);
}

void UnitAxes::rewrite(Operation *op) {
  auto loses = [&](Value value) { return dropped.contains(value); };
  if (llvm::none_of(op->getOperands(), loses) && llvm::none_of(op->getResults(), loses))
    return;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = cast<DenseElementsAttr>(constant.getValue());
    RankedTensorType type = tensorOf(constant);
    constant.setValueAttr(elements.isSplat() ? DenseElementsAttr::get(type, elements.getSplatValue<Attribute>())
                                             : elements.reshape(type));
  } else if (isa<LoadOp, IndexOp>(op)) {
    rewriteLanes(op, op->getResult(0));
  } else if (isa<StoreOp, MaskOp>(op)) {
    rewriteLanes(op, op->getOperand(0));
  } else if (auto reduce = dyn_cast<linalg::ReduceOp>(op)) {
    rewrite(reduce);
  } else if (auto repeat = dyn_cast<linalg::BroadcastOp>(op)) {
    SmallVector<bool> gone = droppedOf(repeat.getResult()[0]);
    SmallVector<int64_t> dims;
    for (int64_t dim : repeat.getDimensions())
      if (!gone[dim])
        dims.push_back(placeOf(gone, dim));
    if (dims.empty())
      return replace(op, repeat.getInput());
    repeat.setDimensions(dims);
  } else if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    SmallVector<bool> gone = droppedOf(transpose.getInput());
    SmallVector<int64_t> order;
    for (int64_t from : transpose.getPermutation())
      if (!gone[from])
        order.push_back(placeOf(gone, from));
    if (llvm::is_sorted(order))
      return replace(op, transpose.getInput());
    transpose.setPermutation(order);
  } else if (auto product = dyn_cast<linalg::BatchMatmulOp>(op)) {
    OpBuilder b(op);
    auto matrix = linalg::MatmulOp::create(b, op->getLoc(), product.getResultTypes(), product.getInputs(),
                                           product.getOutputs());
    replace(op, matrix->getResults());
  } else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    rewriteReshape(op);
  } else if (auto scan = dyn_cast<ScanOp>(op)) {
    SmallVector<bool> gone = droppedOf(scan.getTiles()[0]);
    if (gone[scan.getAxis()])
      return replace(op, scan.getTiles());
    scan.setAxis(placeOf(gone, scan.getAxis()));
  }
}

void UnitAxes::run() {
  bool isWanted = false;
  grid.getBody().walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        isWanted |= tensor.getRank() >= 3 && llvm::is_contained(tensor.getShape(), 1);
  });
  if (!isWanted)
    return;
  separateConstants();
  SmallVector<Operation *> ops;
  grid.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    for (Value result : op->getResults())
      if (tensorOf(result))
        values.push_back(result);
    if (isa<linalg::LinalgOp, ScanOp>(op)) // inside are elements
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        if (tensorOf(argument))
          values.push_back(argument);
    return WalkResult::advance();
  });
  for (Operation *op : ops)
    visit(op);
  choose();
  SmallVector<RankedTensorType> types;
  for (Value value : values) {
    types.push_back(squeezed(value));
    SmallVector<bool> gone;
    for (int64_t i = 0; i < tensorOf(value).getRank(); ++i)
      gone.push_back(isDropped(value, i));
    if (llvm::is_contained(gone, true))
      dropped.try_emplace(value, gone);
  }
  for (auto [value, type] : llvm::zip(values, types))
    value.setType(type);
  for (Operation *op : ops)
    rewrite(op);
}

void drawloom::tile::dropUnitAxes(GridOp grid) { UnitAxes(grid).run(); }
