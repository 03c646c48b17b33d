// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds how values lie in tiles, by unifying those that meet lane by lane.

#include "drawloom/Tile/Form.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom;

Form drawloom::formOf(RankedTensorType type, Form::Kind kind) {
  ArrayRef<int64_t> shape = type.getShape();
  Form form;
  form.kind = shape.empty() ? Form::Scalar : shape.size() > 1 && kind == Form::Flat ? Form::Block : kind;
  if (form.kind == Form::Flat) {
    form.columns = llvm::divideCeil(shape[0], kTileElements), form.columnLanes = shape[0];
    return form;
  }
  if (form.kind == Form::Block || form.kind == Form::Row) {
    form.columnLanes = shape.back();
    shape = shape.drop_back();
  }
  if (form.kind == Form::Block || form.kind == Form::Column) {
    form.rowLanes = shape.back();
    shape = shape.drop_back();
  }
  for (int64_t size : shape)
    form.outer *= size;
  form.rows = llvm::divideCeil(form.rowLanes, kTileSide);
  form.columns = llvm::divideCeil(form.columnLanes, kTileSide);
  return form;
}

Form::Kind drawloom::repeatedKind(ArrayRef<int64_t> dimensions, int64_t rank) {
  bool keepsColumns = !llvm::is_contained(dimensions, rank - 1);
  bool keepsRows = rank >= 2 && !llvm::is_contained(dimensions, rank - 2);
  if (keepsRows)
    return keepsColumns ? Form::Block : Form::Column;
  return keepsColumns ? Form::Row : Form::Outer;
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

Value drawloom::bare(Value value) {
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

std::optional<double> drawloom::splatOf(Value value) {
  value = bare(value);
  APFloat scalar(0.0);
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return splatOf(fill.getInputs()[0]);
  if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    return splatOf(splat.getInput());
  if (auto broadcast = value.getDefiningOp<linalg::BroadcastOp>())
    return splatOf(broadcast.getInput());
  if (!matchPattern(value, m_ConstantFloat(&scalar)))
    return std::nullopt;
  bool lost;
  scalar.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return scalar.convertToDouble();
}

bool drawloom::fitsNarrow(Value value) {
  value = bare(value);
  Type element = getElementTypeOrSelf(value);
  if (element.isBF16() || element.isInteger(1))
    return true;
  if (auto repeat = value.getDefiningOp<linalg::BroadcastOp>())
    return fitsNarrow(repeat.getInput());
  auto reduce = value.getDefiningOp<linalg::ReduceOp>();
  return reduce && isa<arith::MaximumFOp, arith::MaxNumFOp>(reduce.getCombiner().front().front()) &&
         fitsNarrow(reduce.getInputs()[0]);
}

static bool isVector(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 1;
}

static bool hasAxes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() > 0;
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
    Value tile = load ? load.getTile() : store.getTile();
    // Lanes that are looked up are moved along a line of tiles, too.
    bool looksUp = load ? bool(load.getLookup()) : bool(store.getLookup());
    if (looksUp || isa_and_nonnull<tile::TiledAttr>(array.getLayoutAttr()))
      ask(tile, isVector(tile) ? Form::Row : Form::Block);
  });
  // A vector is scanned along a line of tiles.
  grid.getBody().walk([&](tile::ScanOp scan) {
    ask(scan.getTiles()[0], isVector(scan.getTiles()[0]) ? Form::Row : Form::Block);
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
  bool alike = hasAxes(a) && hasAxes(b) && cast<RankedTensorType>(a.getType()).getShape() ==
                                               cast<RankedTensorType>(b.getType()).getShape();
  if (!alike || splatOf(a) || splatOf(b))
    return;
  a = root(a), b = root(b);
  if (a == b)
    return;
  parents[b] = a;
  if (auto it = asked.find(b); it != asked.end()) {
    Form::Kind kind = it->second; // growing the map moves it
    asked.try_emplace(a, kind);
  }
}

void Forms::ask(Value value, Form::Kind kind) {
  if (hasAxes(value) && !splatOf(value))
    asked.try_emplace(root(value), kind);
}

void Forms::visit(Operation *op) {
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op)) {
    for (auto [input, result] : llvm::zip(reduce.getInputs(), reduce.getResults())) {
      int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
      if (rank >= 2)
        ask(result, repeatedKind(reduce.getDimensions(), rank));
    }
    for (auto [init, result] : llvm::zip(reduce.getInits(), reduce.getResults()))
      unify(init, result);
    return;
  }
  if (auto repeat = dyn_cast<linalg::BroadcastOp>(op)) {
    int64_t rank = cast<RankedTensorType>(repeat.getResult()[0].getType()).getRank();
    // The axes it keeps say which line of a tile it is.
    ask(repeat.getInput(), repeatedKind(repeat.getDimensions(), rank));
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
  if (isa<linalg::MatmulOp, linalg::BatchMatmulOp, linalg::TransposeOp, tensor::ExtractSliceOp>(op)) {
    for (Value operand : op->getOperands())
      ask(operand, Form::Block);
    ask(op->getResult(0), Form::Block);
    return;
  }
  if (op->getNumResults() != 1 || !hasAxes(op->getResult(0)) ||
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
