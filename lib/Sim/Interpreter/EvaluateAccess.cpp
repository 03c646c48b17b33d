// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores, reads and masks at one point of a grid.

#include "Constants.h"
#include "Elements.h"
#include "Evaluator.h"
#include "LaneAccess.h"
#include "drawloom/Tile/Integers.h"

using namespace mlir;
using namespace drawloom;

template <typename Op> Lookup Evaluator::lookupOf(Op op) const {
  if (!op.getLookup())
    return {};
  return {values.lookup(op.getLookup()).get(), int(*op.getAxis())};
}

template <typename Op>
LogicalResult Evaluator::checkLookup(Op op, const LaneAccess &access) {
  if (access.looksUpUndefined())
    return refuse(op, "looks up a value that is not defined");
  return success();
}

LogicalResult Evaluator::outside(Operation *op, ProgramArray &array,
                                 const LaneAccess::Outside &at) {
  return refuse(op, "subscript " + Twine(at.subscript) + " is " +
                        Twine(at.value) + ", outside the " +
                        Twine(array.type.getDimSize(at.subscript)) +
                        " of array \"" + array.op.getName() + "\"");
}

LogicalResult
Evaluator::checkRead(Operation *op, ProgramArray &array,
                     const std::optional<LaneAccess::Outside> &out,
                     bool conflict) {
  if (out)
    return outside(op, array, *out);
  if (conflict)
    return refuse(
        op, "reads an element of array \"" + array.op.getName() +
                "\" that another grid point writes; points are independent");
  return success();
}

LogicalResult Evaluator::load(tile::LoadOp op) {
  ProgramArray &array = arrays[op.getArray()];
  Type type = op.getTile().getType();
  TileValue tile = op.getPadAttr()  ? TileValue(type, numberOf(op.getPadAttr()))
                   : op.getBounds() ? undefinedTile(type)
                                    : TileValue(type);
  SmallVector<int64_t> at = integers(op.getAt());
  LaneAccess access(at, tile.shape, lookupOf(op));
  if (auto bounds = op.getBounds())
    access.restrict(*bounds);
  if (failed(checkLookup(op, access)))
    return failure();
  bool conflict = false;
  if (array.written)
    tile.errors();
  Type element = array.type.getElementType();
  auto out = access.forEachRun(
      op.getAccess(), array.type,
      [&](int64_t lane, int64_t start, int64_t stride, int64_t count) {
        if (!array.written) {
          readElements(element, array.base, start, stride, count,
                       &tile.value[lane]);
          if (!tile.exact())
            std::fill_n(tile.error.begin() + lane, count, 0.0);
          return;
        }
        for (int64_t i = 0; i < count; ++i) {
          Approx x;
          conflict |= !array.written->read(start + i * stride, x, owner);
          tile.value[lane + i] = x.value, tile.error[lane + i] = x.error;
        }
      });
  if (failed(checkRead(op, array, out, conflict)))
    return failure();
  if (element != tile.element)
    for (double value : tile.value)
      if (!llvm::isInt<32>(integerOf(value)))
        return refuse(op, "loads a value of array \"" + array.op.getName() +
                              "\" that 32 bits do not hold");
  set(op.getTile(), std::move(tile));
  return success();
}

LogicalResult Evaluator::read(tile::ReadOp op) {
  ProgramArray &array = arrays[op.getArray()];
  SmallVector<int64_t> at = integers(op.getAt());
  Approx x{};
  bool conflict = false;
  auto out = LaneAccess(at, {}).forEachRun(
      op.getAccess(), array.type,
      [&](int64_t, int64_t start, int64_t, int64_t) {
        if (array.written)
          conflict = !array.written->read(start, x, owner);
        else
          readElements(array.type.getElementType(), array.base, start, 1, 1,
                       &x.value);
      });
  if (failed(checkRead(op, array, out, conflict)))
    return failure();
  if (x.error > 0)
    return refuse(op, "takes as an index what rounding leaves open");
  set(op.getValue(), TileValue(op.getValue().getType(), x.value));
  return success();
}

LogicalResult Evaluator::store(tile::StoreOp op) {
  ProgramArray &array = arrays[op.getArray()];
  if (!array.written)
    return refuse(op, "writes array \"" + array.op.getName() +
                          "\", whose role is in");
  const TileValue &tile = *values.lookup(op.getTile());
  SmallVector<int64_t> at = integers(op.getAt());
  LaneAccess access(at, tile.shape, lookupOf(op));
  if (auto bounds = op.getBounds())
    access.restrict(*bounds);
  if (failed(checkLookup(op, access)))
    return failure();
  bool conflict = false;
  auto out = access.forEachRun(
      op.getAccess(), array.type,
      [&](int64_t lane, int64_t element, int64_t stride, int64_t count) {
        for (int64_t i = 0; i < count; ++i)
          conflict |= !array.written->write(
              element + i * stride,
              {tile.value[lane + i], tile.errorAt(lane + i)}, owner);
      });
  if (out)
    return outside(op, array, *out);
  if (conflict)
    return refuse(op, "writes an element of array \"" + array.op.getName() +
                          "\" that another grid point reads or writes; points "
                          "are independent");
  return success();
}

/// Steps the lanes of a point, which begin at `first`, in row-major order.
static void nextLane(MutableArrayRef<int64_t> point, size_t first,
                     ArrayRef<int64_t> shape) {
  for (int64_t axis = int64_t(shape.size()) - 1; axis >= 0; --axis) {
    if (++point[first + axis] < shape[axis])
      break;
    point[first + axis] = 0;
  }
}

void Evaluator::laneNumbers(tile::IndexOp op) {
  TileValue tile(op.getTile().getType());
  SmallVector<int64_t> point = integers(op.getAt());
  size_t indices = point.size();
  point.resize(indices + tile.shape.size(), 0);
  for (double &value : tile.value) {
    value = tile::evaluate(op.getMap().getResult(0), point);
    nextLane(point, indices, tile.shape);
  }
  set(op.getTile(), std::move(tile));
}

void Evaluator::mask(tile::MaskOp op) {
  TileValue tile = *values.lookup(op.getTile());
  double other = numberOf(op.getOther());
  SmallVector<int64_t> point = integers(op.getAt());
  size_t indices = point.size();
  point.resize(indices + tile.shape.size(), 0);
  for (int64_t i = 0; i < tile.size(); ++i) {
    bool inside = llvm::all_of(op.getBounds().getConstraints(),
                               [&](AffineExpr constraint) {
                                 return tile::evaluate(constraint, point) >= 0;
                               });
    if (!inside) {
      tile.value[i] = other;
      if (!tile.exact())
        tile.error[i] = 0;
    }
    nextLane(point, indices, tile.shape);
  }
  set(op.getResult(), std::move(tile));
}
