// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the body of a grid at one point after another.

#include "Evaluator.h"
#include "Elements.h"
#include "Elementwise.h"
#include "LaneAccess.h"
#include "TensorOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom;

LogicalResult Evaluator::refuse(Operation *op, const Twine &message) {
  stopped = {op, message.str(), visit};
  return failure();
}

SmallVector<int64_t> Evaluator::integers(ValueRange operands) const {
  return llvm::map_to_vector(operands, [&](Value value) {
    return static_cast<int64_t>(values.lookup(value)->value[0]);
  });
}

//===-- Constants and affine operations
//---------------------------------------//

static double numberOf(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  auto integer = cast<IntegerAttr>(attribute);
  return integer.getType().isInteger(1) ? integer.getValue().getZExtValue()
                                        : integer.getValue().getSExtValue();
}

static std::optional<TileValue> constant(arith::ConstantOp op) {
  Attribute attribute = op.getValue();
  if (isa<FloatAttr, IntegerAttr>(attribute))
    return TileValue(op.getType(), numberOf(attribute));
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense)
    return std::nullopt;
  if (dense.isSplat())
    return TileValue(op.getType(), numberOf(dense.getSplatValue<Attribute>()));
  TileValue result(op.getType());
  for (auto [to, from] :
       llvm::zip_equal(result.value, dense.getValues<Attribute>()))
    to = numberOf(from);
  return result;
}

/// The values of an affine operation's map: dimensions first, then symbols.
static SmallVector<int64_t> results(AffineMap map, ArrayRef<int64_t> operands) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    return evaluate(expr, operands.take_front(map.getNumDims()),
                    operands.drop_front(map.getNumDims()));
  });
}

static std::optional<TileValue> affineOp(Operation *op,
                                         ArrayRef<int64_t> operands) {
  using Result = std::optional<TileValue>;
  auto scalar = [&](int64_t value) {
    return TileValue(op->getResult(0).getType(), value);
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](affine::AffineApplyOp op) {
        return scalar(results(op.getAffineMap(), operands).front());
      })
      .Case([&](affine::AffineMinOp op) {
        return scalar(*llvm::min_element(results(op.getMap(), operands)));
      })
      .Case([&](affine::AffineMaxOp op) {
        return scalar(*llvm::max_element(results(op.getMap(), operands)));
      })
      .Default(Result());
}

//===-- Accesses
//----------------------------------------------------------------//

LogicalResult Evaluator::outside(Operation *op, unsigned subscript,
                                 int64_t value, ProgramArray &array) {
  return refuse(op, "subscript " + Twine(subscript) + " is " + Twine(value) +
                        ", outside the " +
                        Twine(array.type.getDimSize(subscript)) +
                        " of array \"" + array.op.getName() + "\"");
}

LogicalResult Evaluator::load(tile::LoadOp op) {
  ProgramArray &array = arrays[op.getArray()];
  Type type = op.getTile().getType();
  TileValue tile = op.getPadAttr()  ? TileValue(type, numberOf(op.getPadAttr()))
                   : op.getBounds() ? undefinedTile(type)
                                    : TileValue(type);
  SmallVector<int64_t> at = integers(op.getAt());
  LaneAccess access(at, tile.shape);
  if (auto bounds = op.getBounds())
    access.restrict(*bounds);
  bool conflict = false;
  if (array.written)
    tile.errors();
  auto out = access.forEachRun(
      op.getAccess(), array.type,
      [&](int64_t lane, int64_t element, int64_t stride, int64_t count) {
        if (!array.written) {
          readElements(tile.element, array.base, element, stride, count,
                       &tile.value[lane]);
          if (!tile.exact())
            std::fill_n(tile.error.begin() + lane, count, 0.0);
          return;
        }
        for (int64_t i = 0; i < count; ++i) {
          Approx x;
          conflict |= !array.written->read(element + i * stride, x, visit);
          tile.value[lane + i] = x.value, tile.error[lane + i] = x.error;
        }
      });
  if (out)
    return outside(op, out->subscript, out->value, array);
  if (conflict)
    return refuse(
        op, "reads an element of array \"" + array.op.getName() +
                "\" that another grid point writes; points are independent");
  set(op.getTile(), std::move(tile));
  return success();
}

LogicalResult Evaluator::store(tile::StoreOp op) {
  ProgramArray &array = arrays[op.getArray()];
  if (!array.written)
    return refuse(op, "writes array \"" + array.op.getName() +
                          "\", whose role is in");
  const TileValue &tile = *values.lookup(op.getTile());
  SmallVector<int64_t> at = integers(op.getAt());
  LaneAccess access(at, tile.shape);
  if (auto bounds = op.getBounds())
    access.restrict(*bounds);
  bool conflict = false;
  auto out = access.forEachRun(
      op.getAccess(), array.type,
      [&](int64_t lane, int64_t element, int64_t stride, int64_t count) {
        for (int64_t i = 0; i < count; ++i)
          conflict |= !array.written->write(
              element + i * stride,
              {tile.value[lane + i], tile.errorAt(lane + i)}, visit);
      });
  if (out)
    return outside(op, out->subscript, out->value, array);
  if (conflict)
    return refuse(op, "writes an element of array \"" + array.op.getName() +
                          "\" that another grid point reads or writes; points "
                          "are independent");
  return success();
}

LogicalResult Evaluator::mask(tile::MaskOp op) {
  TileValue tile = *values.lookup(op.getTile());
  double other = numberOf(op.getOther());
  SmallVector<int64_t> point = integers(op.getAt());
  size_t indices = point.size();
  point.resize(indices + tile.shape.size(), 0);
  for (int64_t i = 0; i < tile.size(); ++i) {
    bool inside = llvm::all_of(op.getBounds().getConstraints(),
                               [&](AffineExpr constraint) {
                                 return evaluate(constraint, point) >= 0;
                               });
    if (!inside) {
      tile.value[i] = other;
      if (!tile.exact())
        tile.error[i] = 0;
    }
    for (int64_t axis = tile.shape.size() - 1; axis >= 0; --axis) {
      if (++point[indices + axis] < tile.shape[axis])
        break;
      point[indices + axis] = 0;
    }
  }
  set(op.getResult(), std::move(tile));
  return success();
}

//===-- Control
//-----------------------------------------------------------------//

LogicalResult Evaluator::runLoop(scf::ForOp loop) {
  int64_t low = integers(loop.getLowerBound()).front();
  int64_t high = integers(loop.getUpperBound()).front();
  int64_t step = integers(loop.getStep()).front();
  if (step < 1)
    return refuse(loop,
                  "has a step of " + Twine(step) + ", which must be positive");
  auto assign = [&](ValueRange to, ValueRange from) {
    // All reads come before the first write: a loop may swap its values.
    SmallVector<TileRef> tiles;
    for (Value value : from)
      tiles.push_back(values.lookup(value));
    for (auto [value, tile] : llvm::zip_equal(to, tiles))
      values[value] = tile;
  };
  assign(loop.getRegionIterArgs(), loop.getInitArgs());
  for (int64_t i = low; i < high; i += step) {
    set(loop.getInductionVar(), TileValue(loop.getInductionVar().getType(), i));
    if (failed(runBlock(*loop.getBody())))
      return failure();
    assign(loop.getRegionIterArgs(),
           loop.getBody()->getTerminator()->getOperands());
  }
  assign(loop.getResults(), loop.getRegionIterArgs());
  return success();
}

LogicalResult Evaluator::run(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runLoop(loop);
  if (auto access = dyn_cast<tile::LoadOp>(op))
    return load(access);
  if (auto access = dyn_cast<tile::StoreOp>(op))
    return store(access);
  if (auto lanes = dyn_cast<tile::MaskOp>(op))
    return mask(lanes);
  std::optional<TileValue> result;
  if (auto literal = dyn_cast<arith::ConstantOp>(op)) {
    result = constant(literal);
  } else if (isa<affine::AffineDialect>(op->getDialect())) {
    result = affineOp(op, integers(op->getOperands()));
  } else {
    SmallVector<TileRef> operands;
    for (Value operand : op->getOperands())
      operands.push_back(values.lookup(operand));
    result = elementwise(op, operands, policy);
    if (!result)
      result = tensorOp(op, operands, policy);
  }
  if (!result)
    return refuse(op, "the interpreter does not know `" +
                          op->getName().getStringRef() + "` in this form");
  set(op->getResult(0), std::move(*result));
  return success();
}

LogicalResult Evaluator::runBlock(Block &block) {
  for (Operation &op : block)
    if (!isa<scf::YieldOp>(op) && failed(run(&op)))
      return failure();
  return success();
}

LogicalResult Evaluator::runPoint(tile::GridOp grid, ArrayRef<int64_t> point,
                                  Visit at) {
  visit = at;
  for (auto [dim, index] : llvm::enumerate(point))
    set(grid.getIndex(dim), TileValue(grid.getIndex(dim).getType(), index));
  return runBlock(grid.getBody().front());
}
