// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds how values lie in tiles, by unifying those that meet lane by lane.

#include "Form.h"

#include "../Expression.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

Form drawloom::task::formOf(RankedTensorType type, Form::Kind vector) {
  ArrayRef<int64_t> shape = type.getShape();
  Form form;
  if (shape.empty()) {
    form.kind = Form::Scalar;
    return form;
  }
  if (shape.size() == 1) {
    form.kind = vector;
    int64_t lanes = shape[0];
    if (vector == Form::Column)
      form.rows = llvm::divideCeil(lanes, kTileSide), form.rowLanes = lanes;
    else if (vector == Form::Row)
      form.columns = llvm::divideCeil(lanes, kTileSide), form.columnLanes = lanes;
    else
      form.columns = llvm::divideCeil(lanes, kTileElements), form.columnLanes = lanes;
    return form;
  }
  for (int64_t size : shape.drop_back(2))
    form.outer *= size;
  form.rowLanes = shape[shape.size() - 2];
  form.columnLanes = shape.back();
  form.rows = llvm::divideCeil(form.rowLanes, kTileSide);
  form.columns = llvm::divideCeil(form.columnLanes, kTileSide);
  return form;
}

/// Whether a reshape only adds or drops axes of size 1, and not the last two
/// of a block.
static bool isUnitReshape(RankedTensorType from, RankedTensorType to) {
  auto withoutUnits = [](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> kept;
    llvm::copy_if(shape, std::back_inserter(kept), [](int64_t size) { return size != 1; });
    return kept;
  };
  if (withoutUnits(from.getShape()) != withoutUnits(to.getShape()))
    return false;
  unsigned low = std::min(from.getRank(), to.getRank());
  if (low <= 1)
    return true;
  return from.getShape().take_back(2) == to.getShape().take_back(2);
}

Value drawloom::task::bare(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
        isUnitReshape(cast<RankedTensorType>(op->getOperand(0).getType()),
                      cast<RankedTensorType>(value.getType()))) {
      value = op->getOperand(0);
      continue;
    }
    break;
  }
  return value;
}

static bool isVector(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 1;
}

Forms::Forms(tile::GridOp grid) {
  grid.getBody().walk([&](Operation *op) { visit(op); });
  // Vectors of tiled arrays are rows, unless something else asks.
  grid.getBody().walk([&](Operation *op) {
    auto load = dyn_cast<tile::LoadOp>(op);
    auto store = dyn_cast<tile::StoreOp>(op);
    if (!load && !store)
      return;
    auto array = (load ? load.getArray() : store.getArray()).getDefiningOp<tile::ArrayOp>();
    if (isa_and_nonnull<tile::TiledAttr>(array.getLayoutAttr()))
      ask(load ? load.getTile() : store.getTile(), Form::Row);
  });
}

Value Forms::root(Value value) const {
  while (true) {
    auto it = parents.find(value);
    if (it == parents.end())
      return value;
    value = it->second;
  }
}

void Forms::unify(Value a, Value b) {
  // Constants have every form.
  if (!isVector(a) || !isVector(b) || splatOf(a) || splatOf(b))
    return;
  a = root(a), b = root(b);
  if (a == b)
    return;
  parents[b] = a;
  if (auto it = asked.find(b); it != asked.end())
    asked.try_emplace(a, it->second);
}

void Forms::ask(Value value, Form::Kind kind) {
  if (isVector(value) && !splatOf(value))
    asked.try_emplace(root(value), kind);
}

void Forms::visit(Operation *op) {
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op)) {
    for (auto [input, result] : llvm::zip(reduce.getInputs(), reduce.getResults())) {
      int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
      if (rank == 2)
        ask(result, reduce.getDimensions()[0] == 1 ? Form::Column : Form::Row);
    }
    for (auto [init, result] : llvm::zip(reduce.getInits(), reduce.getResults()))
      unify(init, result);
    return;
  }
  if (auto repeat = dyn_cast<linalg::BroadcastOp>(op)) {
    int64_t rank = cast<RankedTensorType>(repeat.getResult()[0].getType()).getRank();
    // The axis the vector keeps says which line of a tile it is.
    if (isVector(repeat.getInput()))
      ask(repeat.getInput(), llvm::is_contained(repeat.getDimensions(), rank - 1) ? Form::Column
                                                                                 : Form::Row);
    return;
  }
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    Value from = op->getOperand(0), to = op->getResult(0);
    Value vector = isVector(from) ? from : to, block = isVector(from) ? to : from;
    auto type = cast<RankedTensorType>(block.getType());
    if (isVector(vector) && type.getRank() == 2)
      ask(vector, type.getDimSize(1) == 1 ? Form::Column : Form::Row);
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, arg, yielded, result] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults())) {
      unify(arg, result);
      unify(arg, init);
      unify(arg, yielded);
    }
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (auto [index, result] : llvm::enumerate(branch.getResults())) {
      unify(result, branch.thenYield().getOperand(index));
      unify(result, branch.elseYield().getOperand(index));
    }
    return;
  }
  if (op->getNumResults() != 1 || !isVector(op->getResult(0)) ||
      isa<tile::LoadOp, linalg::FillOp, tensor::EmptyOp>(op))
    return;
  for (Value operand : op->getOperands())
    unify(op->getResult(0), operand);
}

Form Forms::of(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  auto it = asked.find(root(value));
  return formOf(type, it == asked.end() ? Form::Flat : it->second);
}
