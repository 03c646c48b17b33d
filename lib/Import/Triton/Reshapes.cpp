// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshapes that move lanes to other tiles, as loads and stores of other shapes.
//
// A tile whose axes are divided into parts is made lane by lane from tiles so
// divided: `arange(0, 8)` in two by four lanes is `4 * i + j`. So is what the
// addresses of a load or store are made of.

#include "Reshapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

using namespace mlir;

namespace drawloom::tt {

using Shape = SmallVector<int64_t>;
/// The axes that each axis is divided into, outermost first. One of size 1 may
/// go.
using Parts = SmallVector<Shape>;

/// How the axes of `from` are divided to give `to`; nothing where an axis of
/// `to` has lanes of several.
static std::optional<Parts> partsOf(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  Parts parts;
  for (int64_t size : from) {
    Shape part;
    int64_t lanes = 1;
    while (!to.empty() && (lanes < size || (part.empty() && to[0] == 1))) {
      lanes *= to[0];
      part.push_back(to[0]);
      to = to.drop_front();
    }
    if (lanes != size)
      return std::nullopt;
    parts.push_back(part);
  }
  bool onlyOnes = llvm::all_of(to, [](int64_t size) { return size == 1; });
  if (!onlyOnes || (parts.empty() && !to.empty()))
    return std::nullopt;
  if (!to.empty())
    llvm::append_range(parts.back(), to);
  return parts;
}

/// Whether some axis is really divided.
static bool divides(const Parts &parts) {
  return llvm::any_of(parts, [](const Shape &part) {
    return llvm::count_if(part, [](int64_t size) { return size != 1; }) > 1;
  });
}

static Shape shapeOf(const Parts &parts) {
  Shape shape;
  for (const Shape &part : parts)
    llvm::append_range(shape, part);
  return shape;
}

static ArrayRef<int64_t> lanesOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

/// Whether each lane of the result is made of the same lane of the operands.
static bool isLanewise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() || isa<arith::ConstantOp>(op))
    return false;
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
         isa<AddPtrOp, BitcastOp, FpToFpOp, ClampFOp, PreciseSqrtOp, PreciseDivFOp, ExternElementwiseOp, MulhiUIOp,
             LoadOp>(op);
}

//===-- Division ------------------------------------------------------------//

namespace {
/// Makes values again with their axes divided, each once.
class Divider {
public:
  /// `value` with its axes so divided; null where it is not made lane by lane.
  Value divide(Value value, const Parts &parts);

private:
  Value make(Operation *op, const Parts &parts, RankedTensorType to);
  Value range(MakeRangeOp op, const Shape &part, RankedTensorType to);
  Value broadcast(BroadcastOp op, const Parts &parts, RankedTensorType to);
  Value expand(ExpandDimsOp op, Parts parts);
  Value lanewise(Operation *op, const Parts &parts, RankedTensorType to);
  std::map<std::pair<void *, Shape>, Value> made;
};
} // namespace

Value Divider::divide(Value value, const Parts &parts) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Shape shape = shapeOf(parts);
  if (!type || type.getShape() == ArrayRef(shape))
    return value;
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  auto [found, isNew] = made.try_emplace({value.getAsOpaquePointer(), shape});
  if (isNew)
    found->second = make(op, parts, type.clone(shape));
  return found->second;
}

Value Divider::make(Operation *op, const Parts &parts, RankedTensorType to) {
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<ReshapeOp>([&](auto reshape) {
        auto through = partsOf(lanesOf(reshape.getSource()), to.getShape());
        return through ? divide(reshape.getSource(), *through) : Value();
      })
      .Case<SplatOp>([&](auto splat) { return SplatOp::create(b, op->getLoc(), to, splat.getSource()); })
      .Case<arith::ConstantOp>([&](auto constant) -> Value {
        auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
        return splat ? Value(arith::ConstantOp::create(b, op->getLoc(), splat.resizeSplat(to))) : Value();
      })
      .Case<MakeRangeOp>([&](auto range) { return this->range(range, parts[0], to); })
      .Case<BroadcastOp>([&](auto broadcast) { return this->broadcast(broadcast, parts, to); })
      .Case<ExpandDimsOp>([&](auto expand) { return this->expand(expand, parts); })
      .Default([&](Operation *) { return isLanewise(op) ? lanewise(op, parts, to) : Value(); });
}

/// The sum of a range along each part, times the lanes of those that follow.
Value Divider::range(MakeRangeOp op, const Shape &part, RankedTensorType to) {
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Location loc = op.getLoc();
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(to, b.getIntegerAttr(to.getElementType(), value)));
  };
  Value sum = number(int32_t(op.getStart()));
  int64_t step = 1;
  for (int64_t axis = part.size() - 1; axis >= 0; --axis) {
    Shape thin(part.size(), 1);
    thin[axis] = part[axis];
    Value along = MakeRangeOp::create(b, loc, to.clone({part[axis]}), b.getI32IntegerAttr(0),
                                      b.getI32IntegerAttr(part[axis]));
    for (int64_t other = 0; other < int64_t(part.size()); ++other)
      if (other != axis) {
        Shape wider(lanesOf(along));
        wider.insert(wider.begin() + other, 1);
        along = ExpandDimsOp::create(b, loc, to.clone(wider), along, b.getI32IntegerAttr(other));
      }
    along = BroadcastOp::create(b, loc, to, along);
    sum = arith::AddIOp::create(b, loc, sum, arith::MulIOp::create(b, loc, along, number(step)));
    step *= part[axis];
  }
  return sum;
}

Value Divider::broadcast(BroadcastOp op, const Parts &parts, RankedTensorType to) {
  Parts before = parts;
  for (auto [axis, size] : llvm::enumerate(lanesOf(op.getSource())))
    if (size == 1)
      llvm::fill(before[axis], 1);
  Value source = divide(op.getSource(), before);
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  return source ? BroadcastOp::create(b, op.getLoc(), to, source) : Value();
}

Value Divider::expand(ExpandDimsOp op, Parts parts) {
  Shape added = parts[op.getAxis()];
  int64_t first = 0;
  for (unsigned axis = 0; axis < op.getAxis(); ++axis)
    first += parts[axis].size();
  parts.erase(parts.begin() + op.getAxis());
  Value result = divide(op.getSource(), parts);
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  for (size_t i = 0; result && i < added.size(); ++i) {
    auto type = cast<RankedTensorType>(result.getType());
    Shape wider(type.getShape());
    wider.insert(wider.begin() + first, 1);
    result = ExpandDimsOp::create(b, op.getLoc(), type.clone(wider), result, b.getI32IntegerAttr(first));
  }
  return result;
}

Value Divider::lanewise(Operation *op, const Parts &parts, RankedTensorType to) {
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value divided = divide(operand, parts);
    if (!divided)
      return {};
    mapping.map(operand, divided);
  }
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Value result = b.clone(*op, mapping)->getResult(0);
  result.setType(to);
  return result;
}

//===-- Where shapes meet ---------------------------------------------------//

/// How the axes of `value` are divided in the tile it was reshaped from; nothing
/// where no reshape joined axes, other than of halves.
static std::optional<Parts> joinedParts(Value value) {
  SmallVector<Value> open = {value};
  llvm::DenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || lanesOf(next) != lanesOf(value) || !seen.insert(next).second)
      continue;
    if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      auto parts = partsOf(lanesOf(next), lanesOf(reshape.getSource()));
      bool isHalves = isa_and_nonnull<JoinOp, CatOp, TransOp>(reshape.getSource().getDefiningOp());
      if (parts && divides(*parts) && !isHalves)
        return parts;
    } else if (isLanewise(op)) {
      llvm::append_range(open, op->getOperands());
    }
  }
  return std::nullopt;
}

/// What is reshaped is made in the wanted shape.
static void makeInShape(ReshapeOp op, Divider &divider) {
  auto parts = partsOf(lanesOf(op.getSource()), lanesOf(op.getResult()));
  bool isHalved = llvm::any_of(op->getUsers(), [](Operation *user) { return isa<SplitOp, TransOp>(user); });
  if (!parts || !divides(*parts) || isHalved)
    return;
  if (Value made = divider.divide(op.getSource(), *parts)) {
    op.getResult().replaceAllUsesWith(made);
    op.erase();
  }
}

/// What was reshaped is stored in the shape it had.
static void storeInShape(StoreOp op, Divider &divider) {
  auto parts = joinedParts(op.getValue());
  if (!parts)
    return;
  SmallVector<Value> divided;
  for (Value operand : op->getOperands())
    divided.push_back(divider.divide(operand, *parts));
  if (!llvm::is_contained(divided, Value()))
    op->setOperands(divided);
}

/// One axis of several sources, reduced.
static SmallVector<Value> reduceAxis(OpBuilder &b, ReduceOp like, ValueRange sources, int64_t axis) {
  SmallVector<Type> types;
  for (Value source : sources) {
    auto type = cast<RankedTensorType>(source.getType());
    Shape rest(type.getShape());
    rest.erase(rest.begin() + axis);
    types.push_back(rest.empty() ? type.getElementType() : Type(type.clone(rest)));
  }
  auto reduce = ReduceOp::create(b, like.getLoc(), types, sources, b.getI32IntegerAttr(axis));
  IRMapping mapping;
  like.getCombine().cloneInto(&reduce.getCombine(), mapping);
  return SmallVector<Value>(reduce.getResults());
}

/// Whether lanes may be combined in any order.
static bool isCommutative(ReduceOp op) {
  mlir::Block &body = op.getCombine().front();
  return op.getSources().size() == 1 && llvm::hasSingleElement(body.without_terminator()) &&
         body.front().hasTrait<OpTrait::IsCommutative>();
}

/// Axes that a reshape joined are reduced one by one, the innermost first, so that
/// lanes stay in order. Where that is all the same, those that count tiles are first.
static void reduceInShape(ReduceOp op, Divider &divider) {
  std::optional<Parts> parts;
  for (Value source : op.getSources())
    if (!parts)
      parts = joinedParts(source);
  int64_t reduced = op.getAxis();
  if (!parts || llvm::any_of(llvm::enumerate(*parts), [&](auto part) {
        return int64_t(part.index()) != reduced && part.value().size() != 1;
      }))
    return;
  SmallVector<Value> values;
  for (Value source : op.getSources())
    values.push_back(divider.divide(source, *parts));
  if (llvm::is_contained(values, Value()))
    return;
  OpBuilder b(op);
  for (int64_t left = (*parts)[reduced].size(); left > 0; --left) {
    bool countsTiles = cast<RankedTensorType>(values[0].getType()).getRank() > 2;
    values = reduceAxis(b, op, values, reduced + (countsTiles && isCommutative(op) ? 0 : left - 1));
  }
  op->replaceAllUsesWith(values);
  op.erase();
}

/// An access of each shape would ask for an array of each.
static void eraseUnused(FuncOp function) {
  SmallVector<Operation *> all;
  function.walk([&](Operation *op) { all.push_back(op); });
  for (Operation *op : llvm::reverse(all))
    if (op->use_empty() && (isLanewise(op) || isa<ReshapeOp, BroadcastOp, ExpandDimsOp, SplatOp, MakeRangeOp>(op)))
      op->erase();
}

void dropReshapes(FuncOp function) {
  SmallVector<Operation *> ends;
  function.walk([&](Operation *op) {
    if (isa<ReshapeOp, StoreOp, ReduceOp>(op))
      ends.push_back(op);
  });
  Divider divider;
  for (Operation *op : ends)
    llvm::TypeSwitch<Operation *>(op)
        .Case<ReshapeOp>([&](auto reshape) { makeInShape(reshape, divider); })
        .Case<StoreOp>([&](auto store) { storeInShape(store, divider); })
        .Case<ReduceOp>([&](auto reduce) { reduceInShape(reduce, divider); });
  eraseUnused(function);
}

} // namespace drawloom::tt
