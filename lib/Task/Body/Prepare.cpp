// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites a program's body to what tiles need.

#include "Prepare.h"

#include "../Expression.h"
#include "Halves.h"
#include "Integers.h"
#include "Repeats.h"
#include "Rewrite.h"
#include "SmallIntegers.h"
#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

//===-- Loops ---------------------------------------------------------------//

static void inlineSingleTrips(tile::GridOp grid) {
  SmallVector<scf::ForOp> loops;
  grid.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    auto low = getConstantIntValue(loop.getLowerBound()), high = getConstantIntValue(loop.getUpperBound());
    auto step = getConstantIntValue(loop.getStep());
    if (!low || !high || !step || *high <= *low || *high - *low > *step)
      continue;
    IRRewriter rewriter(loop.getContext());
    (void)loop.promoteIfSingleIteration(rewriter);
  }
}

static bool dependsOnlyOnOutside(Operation *op, scf::ForOp loop) {
  return llvm::all_of(op->getOperands(), [&](Value value) {
    return loop.isDefinedOutsideOfLoop(value);
  });
}

static bool isWritten(Value array) {
  return llvm::any_of(array.getUsers(), [](Operation *user) { return isa<tile::StoreOp>(user); });
}

/// Loads of arrays the program does not write, and what is computed, move out
/// of loops. A loop that never runs then loads and computes in vain.
static void hoistInvariants(tile::GridOp grid) {
  grid.getBody().walk<WalkOrder::PostOrder>([](scf::ForOp loop) {
    for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
      auto load = dyn_cast<tile::LoadOp>(op);
      bool moves = load ? !isWritten(load.getArray()) : isMemoryEffectFree(&op) && !op.getNumRegions();
      // A reduction's region computes on its own arguments.
      moves |= isa<linalg::ReduceOp, linalg::BroadcastOp, linalg::TransposeOp>(op);
      // What is made of constants is made anew rather than kept.
      bool ofConstants = op.getNumOperands() && llvm::all_of(op.getOperands(), [](Value operand) {
                           return splatOf(operand).has_value();
                         });
      moves &= !ofConstants;
      if (moves && dependsOnlyOnOutside(&op, loop))
        op.moveBefore(loop);
    }
  });
}

//===-- Exchanged axes ------------------------------------------------------//

/// The axes of the last two dimensions of an access, if lanes walk them
/// exchanged: the tile's first axis the last dimension.
static bool isExchanged(AffineMap map, unsigned indices, unsigned lanes) {
  unsigned rank = map.getNumResults();
  if (lanes != 2 || rank < 2)
    return false;
  bool firstWalksLast = map.getResult(rank - 1).isFunctionOfDim(indices);
  bool secondWalksLast = map.getResult(rank - 1).isFunctionOfDim(indices + 1);
  return firstWalksLast && !secondWalksLast;
}

/// The map or set with its last two dimensions exchanged.
static SmallVector<AffineExpr> exchangedDims(MLIRContext *context, unsigned dims) {
  SmallVector<AffineExpr> exchanged;
  for (unsigned dim = 0; dim < dims; ++dim)
    exchanged.push_back(getAffineDimExpr(dim, context));
  std::swap(exchanged[dims - 1], exchanged[dims - 2]);
  return exchanged;
}

static IntegerSet exchange(IntegerSet set) {
  return set.replaceDimsAndSymbols(exchangedDims(set.getContext(), set.getNumDims()), {}, set.getNumDims(), 0);
}

static AffineMap exchange(AffineMap map) {
  return map.replaceDimsAndSymbols(exchangedDims(map.getContext(), map.getNumDims()), {}, map.getNumDims(), 0);
}

static Value transposed(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape{type.getDimSize(1), type.getDimSize(0)};
  Value empty = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  SmallVector<int64_t> permutation{1, 0};
  return linalg::TransposeOp::create(b, loc, value, empty, permutation)->getResult(0);
}

static void straighten(tile::LoadOp load) {
  auto type = cast<RankedTensorType>(load.getTile().getType());
  // What looks values up goes lane by lane however it lies.
  if (load.getLookup() || !isExchanged(load.getAccess(), load.getAt().size(), type.getRank()))
    return;
  OpBuilder b(load.getContext());
  b.setInsertionPointAfter(load);
  load.setAccessAttr(AffineMapAttr::get(exchange(load.getAccess())));
  if (auto bounds = load.getBounds())
    load.setBoundsAttr(IntegerSetAttr::get(exchange(*bounds)));
  load.getTile().setType(RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)}, type.getElementType()));
  Value turned = transposed(b, load.getLoc(), load.getTile());
  load.getTile().replaceAllUsesExcept(turned, turned.getDefiningOp());
}

static void straighten(tile::StoreOp store) {
  auto type = cast<RankedTensorType>(store.getTile().getType());
  if (store.getLookup() || !isExchanged(store.getAccess(), store.getAt().size(), type.getRank()))
    return;
  OpBuilder b(store);
  store.getTileMutable().assign(transposed(b, store.getLoc(), store.getTile()));
  store.setAccessAttr(AffineMapAttr::get(exchange(store.getAccess())));
  if (auto bounds = store.getBounds())
    store.setBoundsAttr(IntegerSetAttr::get(exchange(*bounds)));
}

//===-- Reductions and products ---------------------------------------------//

static TypedAttr numberOf(Type element, double value) {
  if (isa<FloatType>(element))
    return FloatAttr::get(element, value);
  return IntegerAttr::get(element, static_cast<int64_t>(value));
}

static bool isPadded(Type element) { return isa<FloatType>(element) || element.isInteger(32); }

/// The mask of `value` that stands before the builder's place, if there is one:
/// several products take the same operand.
static Value knownMask(OpBuilder &b, Value value, IntegerSet inside, Attribute other) {
  for (Operation *user : value.getUsers())
    if (auto mask = dyn_cast<tile::MaskOp>(user))
      if (mask.getTile() == value && mask.getAt().empty() && mask.getBounds() == inside && mask.getOtherAttr() == other &&
          mask->getBlock() == b.getInsertionBlock() && mask->isBeforeInBlock(&*b.getInsertionPoint()))
        return mask;
  return {};
}

/// `value` with `other` in the lanes of its tiles that hold nothing, along one
/// of the last two axes.
static Value padded(OpBuilder &b, Location loc, Value value, int64_t axis, double other) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(axis) % kTileSide == 0 || !isPadded(type.getElementType()))
    return value;
  AffineExpr lane = b.getAffineDimExpr(axis);
  IntegerSet inside = IntegerSet::get(type.getRank(), 0, {type.getDimSize(axis) - 1 - lane}, {false});
  TypedAttr filler = numberOf(type.getElementType(), other);
  if (Value known = knownMask(b, value, inside, filler))
    return known;
  return tile::MaskOp::create(b, loc, type, value, ValueRange{}, inside, filler);
}

/// The same of a vector, which may fill part of a tile in memory order.
static Value paddedVector(OpBuilder &b, Location loc, Value value, double other) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(0) % kTileElements == 0 || !isPadded(type.getElementType()))
    return value;
  IntegerSet inside = IntegerSet::get(1, 0, {type.getDimSize(0) - 1 - b.getAffineDimExpr(0)}, {false});
  return tile::MaskOp::create(b, loc, type, value, ValueRange{}, inside, numberOf(type.getElementType(), other));
}

static Operation *combinerOf(linalg::ReduceOp reduce) {
  mlir::Block &body = reduce.getCombiner().front();
  if (reduce.getInputs().size() != 1 || llvm::range_size(body) != 2)
    return nullptr;
  return &body.front();
}

static Value splat(OpBuilder &b, Location loc, RankedTensorType type, double value) {
  Attribute number = numberOf(type.getElementType(), value);
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, number));
}

static Value combined(OpBuilder &b, Location loc, Operation *combiner, Value lhs, Value rhs) {
  return b.create(OperationState(loc, combiner->getName().getStringRef(), ValueRange{lhs, rhs}, TypeRange{lhs.getType()}))
      ->getResult(0);
}

static bool isMinimum(Operation *combiner) { return isa<arith::MinimumFOp, arith::MinNumFOp>(combiner); }
static bool isMaximum(Operation *combiner) { return isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner); }

/// What a combiner leaves unchanged; nothing where it is none of the units'.
static std::optional<double> identityOf(Operation *combiner) {
  if (isa<arith::AddFOp, arith::AddIOp>(combiner))
    return 0;
  if (isMinimum(combiner) || isMaximum(combiner))
    return isMinimum(combiner) ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  if (isa<arith::MinSIOp, arith::MaxSIOp>(combiner))
    return isa<arith::MinSIOp>(combiner) ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int32_t>::min();
  return std::nullopt;
}

static bool isSplat(Value value, double number) {
  APInt integer;
  if (matchPattern(value, m_ConstantInt(&integer)))
    return static_cast<double>(integer.getSExtValue()) == number;
  auto constant = splatOf(value);
  return constant && *constant == number;
}

/// The matrix unit has no minimum: that of negatives is a maximum.
static void negate(linalg::ReduceOp reduce) {
  Operation *minimum = combinerOf(reduce);
  OpBuilder b(reduce);
  Location loc = reduce.getLoc();
  reduce.getInputsMutable().assign(Value(arith::NegFOp::create(b, loc, reduce.getInputs()[0])));
  auto type = cast<RankedTensorType>(reduce.getInits()[0].getType());
  reduce.getInitsMutable().assign(splat(b, loc, type, -std::numeric_limits<double>::infinity()));
  b.setInsertionPoint(minimum);
  Value maximum = arith::MaxNumFOp::create(b, loc, minimum->getOperand(0), minimum->getOperand(1));
  minimum->getResult(0).replaceAllUsesWith(maximum);
  minimum->erase();
  b.setInsertionPointAfter(reduce);
  Value result = reduce->getResult(0);
  auto negative = arith::NegFOp::create(b, loc, result);
  result.replaceAllUsesExcept(negative, negative);
}

/// Starts from the identity, which lanes that hold nothing have too.
static void settle(linalg::ReduceOp reduce) {
  Operation *combiner = combinerOf(reduce);
  auto identity = combiner ? identityOf(combiner) : std::nullopt;
  if (!identity)
    return;
  OpBuilder b(reduce);
  Location loc = reduce.getLoc();
  Value init = reduce.getInits()[0];
  auto resultType = cast<RankedTensorType>(init.getType());
  if (!isSplat(init, *identity)) {
    b.setInsertionPointAfter(reduce);
    Value result = reduce->getResult(0), merged = combined(b, loc, combiner, result, init);
    result.replaceAllUsesExcept(merged, merged.getDefiningOp());
    b.setInsertionPoint(reduce);
    reduce.getInitsMutable().assign(splat(b, loc, resultType, *identity));
  }
  if (isMinimum(combiner)) {
    negate(reduce);
    identity = -*identity;
    b.setInsertionPoint(reduce);
  }
  Value input = reduce.getInputs()[0];
  auto type = cast<RankedTensorType>(input.getType());
  for (int64_t dim : reduce.getDimensions())
    if (dim + 2 >= type.getRank() && type.getRank() >= 2)
      input = padded(b, loc, input, dim, *identity);
  if (type.getRank() == 1)
    input = paddedVector(b, loc, input, *identity);
  reduce.getInputsMutable().assign(input);
}

/// Whether lanes beyond a value's axes are filled by whoever loads it.
static bool isFilledWithZero(Value value) {
  auto load = bare(value).getDefiningOp<tile::LoadOp>();
  if (!load)
    return false;
  auto pad = dyn_cast_or_null<FloatAttr>(load.getPadAttr());
  return !load.getPadAttr() || (pad && pad.getValue().isZero());
}

static void settle(linalg::LinalgOp product) {
  OpBuilder b(product);
  for (auto [position, axis] : {std::pair(0u, 1), std::pair(1u, 0)}) {
    OpOperand *operand = product.getDpsInputOperand(position);
    auto type = cast<RankedTensorType>(operand->get().getType());
    if (!isFilledWithZero(operand->get()))
      operand->set(padded(b, product.getLoc(), operand->get(), type.getRank() - 2 + axis, 0));
  }
}

//===-- Divisions -----------------------------------------------------------//

/// A division by a repeated value multiplies with its reciprocal, which is
/// computed once a row instead of once a lane.
static void invert(arith::DivFOp division) {
  auto repeat = bare(division.getRhs()).getDefiningOp<linalg::BroadcastOp>();
  if (!repeat || splatOf(repeat.getInput()))
    return;
  OpBuilder b(repeat);
  Location loc = division.getLoc();
  auto type = cast<RankedTensorType>(repeat.getInput().getType());
  Value inverse = arith::DivFOp::create(b, loc, splat(b, loc, type, 1), repeat.getInput());
  b.setInsertionPoint(division);
  Value repeated = linalg::BroadcastOp::create(b, loc, inverse, repeat.getInit(), repeat.getDimensions())->getResult(0);
  if (repeated.getType() != division.getType()) // a cast stood between
    return;
  Value product = arith::MulFOp::create(b, loc, division.getLhs(), repeated);
  division.replaceAllUsesWith(product);
  division.erase();
}

/// A sum with nothing.
static void simplify(arith::AddFOp sum) {
  for (auto [value, other] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())})
    if (auto constant = splatOf(other); constant && *constant == 0) {
      sum.replaceAllUsesWith(value);
      return sum.erase();
    }
}

//===-- Vectors -------------------------------------------------------------//

/// A vector turned from a row of tiles to a column, or back: one new value,
/// which lies otherwise because of its axes.
static Value turned(OpBuilder &b, Location loc, Value vector, Form::Kind from) {
  auto type = cast<RankedTensorType>(vector.getType());
  int64_t lanes = type.getDimSize(0);
  SmallVector<int64_t> shape = from == Form::Row ? SmallVector<int64_t>{1, lanes} : SmallVector<int64_t>{lanes, 1};
  SmallVector<ReassociationIndices> axes{{0, 1}};
  auto block = RankedTensorType::get(shape, type.getElementType());
  Value expanded = tensor::ExpandShapeOp::create(b, loc, block, vector, axes);
  return tensor::CollapseShapeOp::create(b, loc, type, transposed(b, loc, expanded), axes);
}

static bool isTiled(Value array) {
  return isa_and_nonnull<tile::TiledAttr>(array.getDefiningOp<tile::ArrayOp>().getLayoutAttr());
}

/// Vectors of tiled arrays are rows; repeated ones lie as the axis asks.
static void turnVectors(tile::GridOp grid) {
  Forms forms(grid);
  SmallVector<Operation *> ops;
  grid.getBody().walk([&](Operation *op) { ops.push_back(op); });
  auto turnOperand = [&](OpOperand &operand, Form::Kind wanted) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type || type.getRank() != 1 || splatOf(operand.get()))
      return;
    Form::Kind kind = forms.of(bare(operand.get())).kind;
    if (kind == wanted || (kind != Form::Row && kind != Form::Column))
      return;
    OpBuilder b(operand.getOwner());
    operand.set(turned(b, operand.getOwner()->getLoc(), operand.get(), kind));
  };
  for (Operation *op : ops) {
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      auto type = cast<RankedTensorType>(load.getTile().getType());
      if (type.getRank() != 1 || !isTiled(load.getArray()) || forms.of(load.getTile()).kind != Form::Column)
        continue;
      OpBuilder b(load.getContext());
      b.setInsertionPointAfter(load);
      Value column = turned(b, load.getLoc(), load.getTile(), Form::Row);
      load.getTile().replaceAllUsesExcept(column, load->getNextNode());
    } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
      if (isTiled(store.getArray()))
        turnOperand(store.getTileMutable(), Form::Row);
    } else if (auto repeat = dyn_cast<linalg::BroadcastOp>(op)) {
      int64_t rank = cast<RankedTensorType>(repeat.getResult()[0].getType()).getRank();
      if (Form::Kind kind = repeatedKind(repeat.getDimensions(), rank); kind == Form::Column || kind == Form::Row)
        turnOperand(op->getOpOperand(0), kind);
    }
  }
}

static void eraseDead(tile::GridOp grid, ExactOps &exact) {
  SmallVector<Operation *> ops;
  grid.getBody().walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op)) {
      exact.erase(op);
      op->erase();
    }
}

/// Lanes that hold nothing are multiplied with zero, which leaves no number of
/// what is none.
static void settle(tile::ScanOp scan) {
  OpBuilder b(scan);
  for (OpOperand &operand : scan->getOpOperands()) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    if (type.getRank() == 1)
      operand.set(paddedVector(b, scan.getLoc(), operand.get(), 0));
    else if (scan.getAxis() + 2 >= static_cast<uint64_t>(type.getRank()))
      operand.set(padded(b, scan.getLoc(), operand.get(), scan.getAxis(), 0));
  }
}

/// Reductions by other than one operation, of which the units have none.
static void splitCombined(linalg::ReduceOp reduce, ExactOps &exact) {
  if (isArgument(reduce))
    splitArgument(reduce);
  else if (Operation *combiner = combinerOf(reduce); !combiner || !identityOf(combiner))
    splitReduction(reduce, exact);
  else
    selectHalf(reduce);
}

ExactOps drawloom::task::prepareBody(tile::GridOp grid) {
  ExactOps exact;
  inlineSingleTrips(grid);
  widenIntegers(grid);
  auto collect = [&] {
    SmallVector<Operation *> ops;
    grid.getBody().walk([&](Operation *op) { ops.push_back(op); });
    return ops;
  };
  for (Operation *op : collect()) {
    if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
      splitCombined(reduce, exact);
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
      joinHalves(collapse);
    else if (auto repeat = dyn_cast<linalg::BroadcastOp>(op))
      joinRepeats(repeat);
    else if (auto scan = dyn_cast<tile::ScanOp>(op); scan && isa<FloatType>(getElementTypeOrSelf(scan.getTiles()[0])))
      splitScan(scan);
    else if (scan)
      splitIntegerScan(scan);
    else if (auto product = dyn_cast<linalg::MatmulOp>(op))
      splitIntegerProduct(product);
    else if (auto numbers = dyn_cast<tile::IndexOp>(op))
      splitNumbers(numbers);
    else if (auto mask = dyn_cast<tile::MaskOp>(op))
      splitBounds(mask);
    else if (auto quotient = dyn_cast<arith::DivSIOp>(op))
      splitDivision(quotient);
    else if (auto rest = dyn_cast<arith::RemSIOp>(op))
      splitDivision(rest);
  }
  for (Operation *op : collect()) {
    if (auto load = dyn_cast<tile::LoadOp>(op))
      straighten(load);
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      straighten(store);
    else if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
      settle(reduce);
    else if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
      settle(cast<linalg::LinalgOp>(op));
    else if (auto scan = dyn_cast<tile::ScanOp>(op))
      settle(scan);
    else if (auto division = dyn_cast<arith::DivFOp>(op))
      invert(division);
    else if (auto sum = dyn_cast<arith::AddFOp>(op); sum && isa<RankedTensorType>(sum.getType()))
      simplify(sum);
  }
  turnVectors(grid);
  eraseDead(grid, exact);
  hoistInvariants(grid);
  return exact;
}
