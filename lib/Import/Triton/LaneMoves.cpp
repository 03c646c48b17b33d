// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rebuilds the value of a tile program on other lanes.

#include "LaneMoves.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace drawloom::tt {

//===-- Lanes as linear forms -----------------------------------------------//

LaneMap LaneMap::identity(ArrayRef<int64_t> shape) {
  LaneMap map = {SmallVector<int64_t>(shape), {}};
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    Linear lane = {0, SmallVector<int64_t>(shape.size(), 0)};
    lane.factors[axis] = 1;
    map.old.push_back(lane);
  }
  return map;
}

/// `form` as `quotient * size + rest` with `rest` in [0, size) on every lane of
/// `shape`; nothing where it is no such sum of linear forms.
static std::optional<std::pair<Linear, Linear>>
divided(const Linear &form, int64_t size, ArrayRef<int64_t> shape) {
  Linear quotient = {0, SmallVector<int64_t>(shape.size(), 0)}, rest = quotient;
  quotient.constant = llvm::divideFloorSigned(form.constant, size);
  rest.constant = form.constant - quotient.constant * size;
  int64_t low = rest.constant, high = rest.constant;
  for (auto [axis, factor] : llvm::enumerate(form.factors)) {
    if (factor % size == 0) {
      quotient.factors[axis] = factor / size;
      continue;
    }
    rest.factors[axis] = factor;
    (factor > 0 ? high : low) += factor * (shape[axis] - 1);
  }
  if (low < 0 || high >= size)
    return std::nullopt;
  return std::pair(quotient, rest);
}

/// `forms` numbered row-major over axes of these sizes.
static Linear joined(ArrayRef<Linear> forms, ArrayRef<int64_t> sizes) {
  Linear number = {0, SmallVector<int64_t>(forms.front().factors.size(), 0)};
  for (auto [form, size] : llvm::zip_equal(forms, sizes)) {
    number.constant = number.constant * size + form.constant;
    for (auto [to, from] : llvm::zip_equal(number.factors, form.factors))
      to = to * size + from;
  }
  return number;
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

//===-- Operations that only move lanes -------------------------------------//

/// The lanes that an operand of a rearrangement takes.
static std::optional<LaneMap> beneath(tensor::CollapseShapeOp collapse,
                                      const LaneMap &map) {
  ArrayRef<int64_t> wide = collapse.getSrcType().getShape();
  LaneMap result = {map.shape, {}};
  for (auto [form, group] :
       llvm::zip_equal(map.old, collapse.getReassociationIndices())) {
    Linear left = form;
    SmallVector<Linear> forms;
    for (int64_t axis : llvm::reverse(ArrayRef(group).drop_front())) {
      auto parts = divided(left, wide[axis], map.shape);
      if (!parts)
        return std::nullopt;
      forms.push_back(parts->second);
      left = parts->first;
    }
    forms.push_back(left);
    result.old.append(forms.rbegin(), forms.rend());
  }
  // A tile of one element has no axis to divide.
  Linear zero = {0, SmallVector<int64_t>(map.shape.size(), 0)};
  result.old.resize(wide.size(), zero);
  return result;
}

static std::optional<LaneMap> beneath(tensor::ExpandShapeOp expand,
                                      const LaneMap &map) {
  ArrayRef<int64_t> wide = expand.getResultType().getShape();
  LaneMap result = {map.shape, {}};
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    SmallVector<Linear> forms;
    SmallVector<int64_t> sizes;
    for (int64_t axis : group) {
      forms.push_back(map.old[axis]);
      sizes.push_back(wide[axis]);
    }
    result.old.push_back(joined(forms, sizes));
  }
  return result;
}

static std::optional<LaneMap> beneath(linalg::TransposeOp transpose,
                                      const LaneMap &map) {
  LaneMap result = map;
  for (auto [axis, from] : llvm::enumerate(transpose.getPermutation()))
    result.old[from] = map.old[axis];
  return result;
}

//===-- Moving --------------------------------------------------------------//

bool LaneMoves::hasJoin(Value value) const {
  if (joins.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  bool follows =
      op &&
      (op->hasTrait<OpTrait::Elementwise>() ||
       isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, linalg::TransposeOp>(
           op));
  return follows && llvm::any_of(op->getOperands(), [&](Value operand) {
           return hasJoin(operand);
         });
}

Value LaneMoves::rebuild(Operation *op, ValueRange operands,
                         const LaneMap &map) {
  Type type = RankedTensorType::get(
      map.shape, getElementTypeOrSelf(op->getResult(0).getType()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(op);
  OperationState state(op->getLoc(), op->getName(), operands, {type},
                       op->getAttrs());
  return builder.create(state)->getResult(0);
}

/// The maps of an access with its lanes replaced.
static SmallVector<AffineExpr>
replacements(unsigned indices, const LaneMap &map, MLIRContext *context) {
  SmallVector<AffineExpr> all;
  for (unsigned index = 0; index < indices; ++index)
    all.push_back(getAffineDimExpr(index, context));
  for (const Linear &form : map.old) {
    AffineExpr lane = getAffineConstantExpr(form.constant, context);
    for (auto [axis, factor] : llvm::enumerate(form.factors))
      lane = lane + getAffineDimExpr(indices + axis, context) * factor;
    all.push_back(lane);
  }
  return all;
}

Value LaneMoves::moveLoad(Operation *op, const LaneMap &map) {
  auto load = cast<tile::LoadOp>(op);
  MLIRContext *context = op->getContext();
  unsigned indices = load.getAt().size(), dims = indices + map.shape.size();
  if (load.getAccess().getNumDims() != indices + map.old.size())
    return {}; // it looks lanes up
  auto all = replacements(indices, map, context);
  if (auto bounds = load.getBounds())
    for (AffineExpr constraint : bounds->getConstraints()) {
      AffineExpr moved = constraint.replaceDims(all);
      unsigned lanes = 0;
      for (unsigned dim = indices; dim < dims; ++dim)
        lanes += moved.isFunctionOfDim(dim);
      if (lanes > 1)
        return {};
    }
  Value result = rebuild(op, op->getOperands(), map);
  auto moved = result.getDefiningOp<tile::LoadOp>();
  moved.setAccessAttr(AffineMapAttr::get(
      load.getAccess().replaceDimsAndSymbols(all, {}, dims, 0)));
  if (auto bounds = load.getBounds())
    moved.setBoundsAttr(
        IntegerSetAttr::get(bounds->replaceDimsAndSymbols(all, {}, dims, 0)));
  return result;
}

Value LaneMoves::moveIndex(Operation *op, const LaneMap &map) {
  auto index = cast<tile::IndexOp>(op);
  unsigned indices = index.getAt().size();
  Value result = rebuild(op, op->getOperands(), map);
  result.getDefiningOp<tile::IndexOp>().setMapAttr(
      AffineMapAttr::get(index.getMap().replaceDimsAndSymbols(
          replacements(indices, map, op->getContext()), {},
          indices + map.shape.size(), 0)));
  return result;
}

Value LaneMoves::moveMask(Operation *op, const LaneMap &map) {
  auto mask = cast<tile::MaskOp>(op);
  unsigned indices = mask.getAt().size(), dims = indices + map.shape.size();
  Value tile = move(mask.getTile(), map);
  if (!tile)
    return {};
  SmallVector<Value> operands = {tile};
  llvm::append_range(operands, mask.getAt());
  Value result = rebuild(op, operands, map);
  auto all = replacements(indices, map, op->getContext());
  result.getDefiningOp<tile::MaskOp>().setBoundsAttr(IntegerSetAttr::get(
      mask.getBounds().replaceDimsAndSymbols(all, {}, dims, 0)));
  return result;
}

/// What is repeated stays small: only the lanes its axes take are rebuilt.
Value LaneMoves::moveBroadcast(Operation *op, const LaneMap &map) {
  auto broadcast = cast<linalg::BroadcastOp>(op);
  SmallVector<Linear> forms;
  for (auto [axis, form] : llvm::enumerate(map.old))
    if (!llvm::is_contained(broadcast.getDimensions(), int64_t(axis)))
      forms.push_back(form);
  LaneMap inner;
  SmallVector<int64_t> stretched;
  inner.old.resize(forms.size());
  for (auto [to, form] : llvm::zip_equal(inner.old, forms))
    to.constant = form.constant;
  for (auto [lane, size] : llvm::enumerate(map.shape)) {
    bool used = llvm::any_of(
        forms, [&, lane = lane](const Linear &f) { return f.factors[lane]; });
    if (!used) {
      stretched.push_back(lane);
      continue;
    }
    inner.shape.push_back(size);
    for (auto [to, form] : llvm::zip_equal(inner.old, forms))
      to.factors.push_back(form.factors[lane]);
  }
  Value input = move(broadcast.getInput(), inner);
  if (!input || stretched.empty())
    return input;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(op);
  Value empty = tensor::EmptyOp::create(builder, op->getLoc(), map.shape,
                                        getElementTypeOrSelf(input.getType()));
  return linalg::BroadcastOp::create(builder, op->getLoc(), input, empty,
                                     stretched)
      ->getResult(0);
}

/// Lanes of two axes that stay side by side.
static bool isSlice(Value whole, const LaneMap &map) {
  if (shapeOf(whole).size() != 2 || map.shape.size() != 2)
    return false;
  LaneMap slice = LaneMap::identity(map.shape);
  for (auto [lane, form] : llvm::zip_equal(slice.old, map.old))
    lane.constant = form.constant;
  return slice.old == map.old;
}

Value LaneMoves::slice(Value value, const LaneMap &map) {
  if (!isSlice(value, map))
    return {};
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (auto [form, size] : llvm::zip_equal(map.old, map.shape)) {
    offsets.push_back(builder.getIndexAttr(form.constant));
    sizes.push_back(builder.getIndexAttr(size));
    strides.push_back(builder.getIndexAttr(1));
  }
  return tensor::ExtractSliceOp::create(builder, site, value, offsets, sizes,
                                        strides);
}

Value LaneMoves::moveLanes(Operation *op, const LaneMap &map) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(isa<RankedTensorType>(operand.getType())
                           ? move(operand, map)
                           : operand);
    if (!operands.back())
      return {};
  }
  return rebuild(op, operands, map);
}

Value LaneMoves::move(Value value, const LaneMap &map) {
  if (map.shape == shapeOf(value) &&
      map.old == LaneMap::identity(map.shape).old)
    return value;
  if (auto join = joins.find(value); join != joins.end()) {
    const Linear &which = map.old.back();
    if (llvm::any_of(which.factors, [](int64_t f) { return f != 0; }))
      return {};
    LaneMap inner = map;
    inner.old.pop_back();
    auto [first, second] = join->second;
    return move(which.constant ? second : first, inner);
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return slice(value, map);
  DenseElementsAttr literal;
  if (matchPattern(value, m_Constant(&literal)) && literal.isSplat()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(op);
    return arith::ConstantOp::create(builder, op->getLoc(),
                                     literal.resizeSplat(RankedTensorType::get(
                                         map.shape, literal.getElementType())));
  }
  auto rearranged = [&](auto rearrangement) -> Value {
    auto inner = beneath(rearrangement, map);
    return inner ? move(rearrangement->getOperand(0), *inner) : Value();
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
            linalg::TransposeOp>([&](auto op) { return rearranged(op); })
      .Case([&](tile::LoadOp) { return moveLoad(op, map); })
      .Case([&](tile::IndexOp) { return moveIndex(op, map); })
      .Case([&](tile::MaskOp) { return moveMask(op, map); })
      .Case([&](linalg::BroadcastOp) { return moveBroadcast(op, map); })
      .Default([&](Operation *) {
        return op->hasTrait<OpTrait::Elementwise>() ? moveLanes(op, map)
                                                    : slice(value, map);
      });
}

//===-- Stores of joined tiles ----------------------------------------------//

/// Splits an axis in two: every second lane, or the halves.
bool LaneMoves::splitStore(tile::StoreOp store, unsigned axis,
                           bool interleaved) {
  Value tile = store.getTile();
  SmallVector<int64_t> shape(shapeOf(tile));
  if (shape[axis] % 2)
    return false;
  shape[axis] /= 2;
  unsigned indices = store.getAt().size(), dims = indices + shape.size();
  LaneMap maps[2];
  Value parts[2];
  for (int64_t which : {0, 1}) {
    maps[which] = LaneMap::identity(shape);
    Linear &lane = maps[which].old[axis];
    lane.constant = which * (interleaved ? 1 : shape[axis]);
    lane.factors[axis] = interleaved ? 2 : 1;
    parts[which] = move(tile, maps[which], store.getLoc());
    if (!parts[which])
      return false;
  }
  builder.setInsertionPoint(store);
  for (int64_t which : {0, 1}) {
    auto all = replacements(indices, maps[which], store.getContext());
    IntegerSetAttr bounds = store.getBoundsAttr();
    if (bounds)
      bounds = IntegerSetAttr::get(
          bounds.getValue().replaceDimsAndSymbols(all, {}, dims, 0));
    splitStore(tile::StoreOp::create(
        builder, store.getLoc(), parts[which], store.getArray(), store.getAt(),
        AffineMapAttr::get(
            store.getAccess().replaceDimsAndSymbols(all, {}, dims, 0)),
        bounds));
    builder.setInsertionPoint(store);
  }
  store.erase();
  return true;
}

void LaneMoves::splitStore(tile::StoreOp store) {
  unsigned rank = shapeOf(store.getTile()).size();
  if (!hasJoin(store.getTile()) ||
      store.getAccess().getNumDims() != store.getAt().size() + rank)
    return;
  OpBuilder::InsertionGuard guard(builder);
  for (unsigned axis = 0; axis < rank; ++axis)
    for (bool interleaved : {true, false})
      if (splitStore(store, axis, interleaved))
        return;
}

} // namespace drawloom::tt
