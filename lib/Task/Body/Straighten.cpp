// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns tiles and vectors that lie otherwise than memory or their use asks.

#include "Straighten.h"

#include "drawloom/Tile/Form.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

//===-- Exchanged axes ------------------------------------------------------//

static bool isTiled(Value array) {
  return isa_and_nonnull<tile::TiledAttr>(array.getDefiningOp<tile::ArrayOp>().getLayoutAttr());
}

/// Whether lanes walk the last two dimensions of an access exchanged: the tile's
/// first axis the last dimension. An array of one dimension in tiles is a row of
/// each.
static bool isExchanged(Value array, AffineMap map, unsigned indices, unsigned lanes) {
  unsigned rank = map.getNumResults();
  if (lanes != 2 || rank < (isTiled(array) ? 1 : 2))
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

void drawloom::task::straighten(tile::LoadOp load) {
  auto type = cast<RankedTensorType>(load.getTile().getType());
  // What looks values up goes lane by lane however it lies.
  if (load.getLookup() || !isExchanged(load.getArray(), load.getAccess(), load.getAt().size(), type.getRank()))
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

void drawloom::task::straighten(tile::StoreOp store) {
  auto type = cast<RankedTensorType>(store.getTile().getType());
  if (store.getLookup() || !isExchanged(store.getArray(), store.getAccess(), store.getAt().size(), type.getRank()))
    return;
  OpBuilder b(store);
  store.getTileMutable().assign(transposed(b, store.getLoc(), store.getTile()));
  store.setAccessAttr(AffineMapAttr::get(exchange(store.getAccess())));
  if (auto bounds = store.getBounds())
    store.setBoundsAttr(IntegerSetAttr::get(exchange(*bounds)));
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

void drawloom::task::turnVectors(tile::GridOp grid) {
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
