// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores slices of one tile that lie side by side in memory at once.
//
// An epilogue that stores a product in parts saves shared memory on a GPU. Here
// tiles leave a core one by one anyway, and whole results of products are what
// the planner knows best.

#include "drawloom/Tile/TilePasses.h"
#include "drawloom/Tile/Written.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace drawloom::tile;

namespace {

/// Two values, lane by lane alike, as one along `axis`.
class Joiner {
public:
  Joiner(OpBuilder &builder, int64_t axis, int64_t lanes) : b(builder), axis(axis), lanes(lanes) {}

  /// The value whose first `lanes` along the axis are `first` and whose others
  /// are `second`; null where there is none.
  Value join(Value first, Value second);
  /// The dimensions of a map of `indices` and the lanes, those of the second
  /// part counted from the first one's start.
  SmallVector<AffineExpr> shifted(unsigned indices, unsigned dims) const;

private:
  Value joinSlices(tensor::ExtractSliceOp first, tensor::ExtractSliceOp second);
  Value joinLoads(LoadOp first, LoadOp second);
  Value joinRepeats(linalg::BroadcastOp first, linalg::BroadcastOp second);
  Value joinOperations(Operation *first, Operation *second);
  /// What is made of two operations stands behind both.
  void behind(Operation *first, Operation *second) {
    b.setInsertionPointAfter(first->isBeforeInBlock(second) ? second : first);
  }
  RankedTensorType widened(Type type) const {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape(tensor.getShape());
    shape[axis] *= 2;
    return RankedTensorType::get(shape, tensor.getElementType());
  }

  OpBuilder &b;
  int64_t axis, lanes;
};

} // namespace

SmallVector<AffineExpr> Joiner::shifted(unsigned indices, unsigned dims) const {
  SmallVector<AffineExpr> all;
  for (unsigned dim = 0; dim < dims; ++dim)
    all.push_back(b.getAffineDimExpr(dim));
  all[indices + axis] = all[indices + axis] + lanes;
  return all;
}

/// Whether the second access is the first one further along the axis.
template <typename Access>
static bool follows(Access first, Access second, const Joiner &joiner) {
  if (first.getArray() != second.getArray() || !llvm::equal(first.getAt(), second.getAt()) || first.getLookup() ||
      second.getLookup() || bool(first.getBounds()) != bool(second.getBounds()))
    return false;
  unsigned dims = first.getAccess().getNumDims();
  auto all = joiner.shifted(first.getAt().size(), dims);
  if (simplifyAffineMap(first.getAccess().replaceDimsAndSymbols(all, {}, dims, 0)) !=
      simplifyAffineMap(second.getAccess()))
    return false;
  if (!first.getBounds())
    return true;
  IntegerSet moved = first.getBounds()->replaceDimsAndSymbols(all, {}, dims, 0), other = *second.getBounds();
  if (moved.getNumConstraints() != other.getNumConstraints())
    return false;
  return llvm::all_of(llvm::zip(moved.getConstraints(), other.getConstraints()), [&](auto pair) {
    return simplifyAffineExpr(std::get<0>(pair) - std::get<1>(pair), dims, 0) == 0;
  });
}

Value Joiner::joinSlices(tensor::ExtractSliceOp first, tensor::ExtractSliceOp second) {
  if (first.getSource() != second.getSource() || first.getSourceType() != widened(first.getType()))
    return {};
  SmallVector<int64_t> starts(first.getStaticOffsets());
  if (llvm::any_of(starts, [](int64_t start) { return start != 0; }))
    return {};
  starts[axis] = lanes;
  return second.getStaticOffsets() == ArrayRef(starts) ? first.getSource() : Value();
}

/// A bias, say, that is loaded in parts too.
Value Joiner::joinLoads(LoadOp first, LoadOp second) {
  if (isWritten(first.getArray()) || !follows(first, second, *this) || first.getPadAttr() != second.getPadAttr())
    return {};
  behind(first, second);
  auto wide = cast<LoadOp>(b.clone(*first));
  wide.getTile().setType(widened(first.getTile().getType()));
  return wide.getTile();
}

/// Whether two values are one, though loaded and computed twice.
static bool isSame(Value first, Value second) {
  if (first == second)
    return true;
  Operation *one = first.getDefiningOp(), *other = second.getDefiningOp();
  if (!one || !other || one->getName() != other->getName() || one->getAttrs() != other->getAttrs() ||
      first.getType() != second.getType() || one->getNumOperands() != other->getNumOperands())
    return false;
  auto load = dyn_cast<LoadOp>(one);
  bool repeats = load ? !isWritten(load.getArray()) : one->hasTrait<OpTrait::Elementwise>();
  return repeats && llvm::equal(one->getOperands(), other->getOperands(), isSame);
}

/// A value repeated along the axis, or along others.
Value Joiner::joinRepeats(linalg::BroadcastOp first, linalg::BroadcastOp second) {
  if (first.getDimensions() != second.getDimensions())
    return {};
  Value input = first.getInput();
  if (!llvm::is_contained(first.getDimensions(), axis)) {
    int64_t before = llvm::count_if(first.getDimensions(), [&](int64_t dim) { return dim < axis; });
    input = Joiner(b, axis - before, lanes).join(input, second.getInput());
  } else if (!isSame(input, second.getInput())) {
    return {};
  }
  if (!input)
    return {};
  behind(first, second);
  auto type = widened(first->getResult(0).getType());
  Value empty = tensor::EmptyOp::create(b, first.getLoc(), type.getShape(), type.getElementType());
  return linalg::BroadcastOp::create(b, first.getLoc(), input, empty, first.getDimensions())->getResult(0);
}

Value Joiner::joinOperations(Operation *first, Operation *second) {
  bool alike = first->getName() == second->getName() && first->getAttrs() == second->getAttrs() &&
               first->getNumResults() == 1 && first->hasTrait<OpTrait::Elementwise>();
  if (!alike)
    return {};
  SmallVector<Value> operands;
  for (auto [one, other] : llvm::zip_equal(first->getOperands(), second->getOperands())) {
    operands.push_back(isa<RankedTensorType>(one.getType()) ? join(one, other) : one == other ? one : Value());
    if (!operands.back())
      return {};
  }
  behind(first, second);
  OperationState state(first->getLoc(), first->getName(), operands, {widened(first->getResult(0).getType())},
                       first->getAttrs());
  return b.create(state)->getResult(0);
}

Value Joiner::join(Value first, Value second) {
  Operation *one = first.getDefiningOp(), *other = second.getDefiningOp();
  if (!one || !other || one->getBlock() != other->getBlock() || first.getType() != second.getType())
    return {};
  DenseElementsAttr literal, same;
  if (matchPattern(first, m_Constant(&literal)) && matchPattern(second, m_Constant(&same))) {
    if (literal != same || !literal.isSplat())
      return {};
    behind(one, other);
    return arith::ConstantOp::create(b, one->getLoc(), literal.resizeSplat(widened(first.getType())));
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(one)) {
    auto next = dyn_cast<tensor::ExtractSliceOp>(other);
    return next ? joinSlices(slice, next) : Value();
  }
  if (auto load = dyn_cast<LoadOp>(one)) {
    auto next = dyn_cast<LoadOp>(other);
    return next ? joinLoads(load, next) : Value();
  }
  if (auto repeat = dyn_cast<linalg::BroadcastOp>(one)) {
    auto next = dyn_cast<linalg::BroadcastOp>(other);
    return next ? joinRepeats(repeat, next) : Value();
  }
  return joinOperations(one, other);
}

//===-- Stores --------------------------------------------------------------//

/// One store in the place of two, where the second continues the first.
static StoreOp joined(StoreOp first, StoreOp second) {
  auto type = first.getTile().getType();
  for (int64_t axis = type.getRank(); axis-- > 0;) {
    OpBuilder b(second);
    Joiner joiner(b, axis, type.getDimSize(axis));
    if (!follows(first, second, joiner))
      continue;
    Value both = joiner.join(first.getTile(), second.getTile());
    if (!both)
      continue;
    b.setInsertionPoint(second);
    auto store = StoreOp::create(b, first.getLoc(), both, first.getArray(), first.getAt(), first.getAccessAttr(),
                                 first.getBoundsAttr());
    first.erase();
    second.erase();
    return store;
  }
  return {};
}

static void joinIn(mlir::Block &block) {
  llvm::DenseMap<int64_t, StoreOp> last; // to each argument
  for (bool changed = true; changed;) {
    changed = false;
    last.clear();
    for (StoreOp store : llvm::make_early_inc_range(block.getOps<StoreOp>())) {
      StoreOp &before = last[store.getArray().getDefiningOp<ArrayOp>().getArgument()];
      StoreOp both = before && !isRead(store.getArray()) ? joined(before, store) : StoreOp();
      changed |= bool(both);
      before = both ? both : store;
    }
  }
}

static void eraseDead(GridOp grid) {
  SmallVector<Operation *> ops;
  grid.getBody().walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

void drawloom::tile::joinStores(GridOp grid) {
  bool hasSlices = false;
  grid.getBody().walk([&](tensor::ExtractSliceOp) { hasSlices = true; });
  if (!hasSlices)
    return;
  SmallVector<mlir::Block *> blocks;
  grid.getBody().walk([&](StoreOp store) {
    if (!llvm::is_contained(blocks, store->getBlock()))
      blocks.push_back(store->getBlock());
  });
  for (mlir::Block *block : blocks)
    joinIn(*block);
  eraseDead(grid);
}
