// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which products, reductions, transpositions and scans the units do.

#include "Heads.h"

#include "../Expression.h"
#include "drawloom/Tile/Form.h"
#include "Rewrite.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static int64_t rankOf(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

bool drawloom::task::exchangesRowsAndColumns(linalg::TransposeOp op) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  int64_t rank = permutation.size();
  for (int64_t axis = 0; axis + 2 < rank; ++axis)
    if (permutation[axis] != axis)
      return false;
  return rank >= 2 && permutation[rank - 2] == rank - 1 && permutation[rank - 1] == rank - 2;
}

bool drawloom::task::countsTiles(linalg::ReduceOp op) {
  int64_t rank = rankOf(op.getInputs()[0]);
  return op.getDimensions().size() == 1 && op.getDimensions()[0] + 2 < rank;
}

StringRef drawloom::task::vectorCombiner(linalg::ReduceOp op) {
  mlir::Block &body = op.getCombiner().front();
  if (op.getInputs().size() != 1 || llvm::range_size(body) != 2 ||
      body.getTerminator()->getOperand(0) != body.front().getResult(0))
    return "";
  Operation *combiner = &body.front();
  if (getElementTypeOrSelf(op.getInputs()[0]).isInteger(32))
    return isa<arith::AddIOp>(combiner)    ? "addi"
           : isa<arith::MaxSIOp>(combiner) ? "maxsi"
           : isa<arith::MinSIOp>(combiner) ? "minsi"
                                           : "";
  return isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner) ? "max" : isa<arith::AddFOp>(combiner) ? "add" : "";
}

static LogicalResult check(linalg::ReduceOp op) {
  if (op.getInputs().size() != 1)
    return op.emitError("combines tuples of lanes other than floats of two axes or by the place of an extremum: reduce each part");
  if (vectorCombiner(op).empty())
    return op.emitError("combines lanes other than by a sum, maximum or minimum of floats or int32: no "
                        "unit has another reduction");
  return success();
}

static LogicalResult check(tile::ScanOp op) {
  Value input = op.getTiles()[0];
  if (!isSum(op))
    return op.emitError("scans lanes other than by a sum, or other than tiles of two axes of floats: "
                        "scan tiles of two axes");
  if (static_cast<int64_t>(op.getAxis()) + 2 >= rankOf(input))
    return success();
  return op.emitError("scans ") << input.getType() << " along an axis that counts tiles";
}

static LogicalResult check(linalg::MatmulOp op) {
  if (op.hasUserDefinedMaps())
    return op.emitError("has indexing maps of its own: transpose its operand instead");
  return success();
}

/// What lies in tiles otherwise than an operation over several tiles takes it.
static LogicalResult checkForms(Operation *op, const Forms &forms) {
  auto fits = [&](Value value, Form::Kind wanted) {
    bool isVector = rankOf(value) < 2 && wanted == Form::Block;
    return splatOf(value) || rankOf(value) == 0 || isVector || forms.of(value).kind == wanted;
  };
  bool known = true;
  for (Value operand : op->getOperands())
    if (!isa<linalg::ReduceOp>(op) || llvm::is_contained(cast<linalg::ReduceOp>(op).getInputs(), operand))
      known &= fits(operand, Form::Block);
  auto reduce = dyn_cast<linalg::ReduceOp>(op);
  int64_t reduced = reduce ? rankOf(reduce.getInputs()[0]) : 0;
  for (Value result : op->getResults())
    known &= fits(result, reduced >= 2 ? repeatedKind(reduce.getDimensions(), reduced) : Form::Block);
  if (reduced == 1)
    known &= forms.of(reduce.getInputs()[0]).kind != Form::Outer;
  if (known)
    return success();
  return op->emitError("takes or makes ") << op->getOperand(0).getType() << ", which lies in tiles as another use "
         << "wants it, a line of a tile for each of its rows: load or compute it once for each use";
}

/// A slice takes hardware tiles as they are.
static LogicalResult check(tensor::ExtractSliceOp op) {
  for (auto [axis, offset] : llvm::enumerate(op.getStaticOffsets())) {
    int64_t size = op.getType().getDimSize(axis);
    bool isWhole = size == op.getSourceType().getDimSize(axis);
    if (!isWhole && (size % kTileSide || offset % kTileSide))
      return op.emitError("takes ") << size << " lanes from lane " << offset << " on of axis " << axis << " of "
             << op.getSourceType() << ", and lanes would change their tiles: make the tile so large that its parts "
             << "are multiples of 32";
  }
  return success();
}

static LogicalResult checkProduct(Operation *op) {
  for (Value operand : op->getOperands())
    if (!isa<FloatType>(getElementTypeOrSelf(operand)))
      return op->emitError("multiplies matrices of ")
             << getElementTypeOrSelf(operand) << ": convert them to bf16 first";
  return success();
}

LogicalResult drawloom::task::checkHeads(tile::GridOp grid, const Forms &forms) {
  WalkResult result = grid.getBody().walk([&](Operation *op) {
    LogicalResult fits = success();
    if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
      fits = check(reduce);
    else if (auto scan = dyn_cast<tile::ScanOp>(op))
      fits = check(scan);
    else if (auto product = dyn_cast<linalg::MatmulOp>(op))
      fits = check(product);
    else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      fits = check(slice);
    else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) && bare(op->getResult(0)) == op->getResult(0))
      fits = op->emitError("reshapes ") << op->getOperand(0).getType() << " to " << op->getResult(0).getType()
             << ", and lanes would change their tiles: load it in the shape it is used in";
    else if (auto transpose = dyn_cast<linalg::TransposeOp>(op); transpose && !exchangesRowsAndColumns(transpose))
      fits = op->emitError("permutes other than the last two axes of a tile");
    if (succeeded(fits) && isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
      fits = checkProduct(op);
    bool isOverTiles = isa<linalg::ReduceOp, tile::ScanOp, linalg::TransposeOp, linalg::MatmulOp, linalg::BatchMatmulOp>(op);
    if (succeeded(fits) && isOverTiles)
      fits = checkForms(op, forms);
    return WalkResult(fits);
  });
  return failure(result.wasInterrupted());
}
