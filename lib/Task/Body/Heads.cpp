// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which products, reductions, transpositions and scans the units do.

#include "Heads.h"

#include "Form.h"
#include "Rewrite.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static int64_t rankOf(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

/// Leading axes of one lane count no tiles.
static bool isMatrix(Value value) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  return shape.size() <= 2 || llvm::all_of(shape.drop_back(2), [](int64_t size) { return size == 1; });
}

bool drawloom::task::exchangesRowsAndColumns(linalg::TransposeOp op) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  int64_t rank = permutation.size();
  for (int64_t axis = 0; axis + 2 < rank; ++axis)
    if (permutation[axis] != axis)
      return false;
  return rank >= 2 && permutation[rank - 2] == rank - 1 && permutation[rank - 1] == rank - 2;
}

static LogicalResult check(linalg::ReduceOp op) {
  if (op.getInputs().size() != 1)
    return op.emitError("combines tuples of lanes other than by the place of an extremum of bf16 over at "
                        "most 2048 lanes, of which the matrix unit keeps all digits: compare in bf16, or "
                        "reduce each part");
  mlir::Block &body = op.getCombiner().front();
  bool known = llvm::range_size(body) == 2 && isa<arith::AddFOp, arith::MaximumFOp, arith::MaxNumFOp>(body.front()) &&
               body.getTerminator()->getOperand(0) == body.front().getResult(0);
  if (!known)
    return op.emitError("combines lanes other than by a sum, maximum or minimum of floats: the matrix "
                        "unit has no other reduction");
  Value input = op.getInputs()[0];
  int64_t rank = rankOf(input);
  bool inTiles = llvm::all_of(op.getDimensions(), [&](int64_t axis) { return axis + 2 >= rank; });
  if (inTiles && isMatrix(input))
    return success();
  return op.emitError("combines lanes of ") << input.getType() << " along axes that count tiles: reduce "
         << "tiles of two axes";
}

static LogicalResult check(tile::ScanOp op, const Forms &forms) {
  Value input = op.getTiles()[0];
  if (!isSum(op))
    return op.emitError("scans lanes other than by a sum, or other than tiles of two axes of floats: "
                        "scan tiles of two axes");
  Form form = forms.of(op.getResults()[0]);
  if (form.kind == Form::Flat)
    return op.emitError("scans a vector that no other axis goes with: let each program take rows of a "
                        "tile, or reshape the vector to one of two axes");
  if (isMatrix(input) && static_cast<int64_t>(op.getAxis()) + 2 >= rankOf(input))
    return success();
  return op.emitError("scans ") << input.getType() << " along an axis that counts tiles";
}

static LogicalResult check(linalg::MatmulOp op) {
  if (op.hasUserDefinedMaps())
    return op.emitError("has indexing maps of its own: transpose its operand instead");
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
      fits = check(scan, forms);
    else if (auto product = dyn_cast<linalg::MatmulOp>(op))
      fits = check(product);
    else if (auto transpose = dyn_cast<linalg::TransposeOp>(op); transpose && !exchangesRowsAndColumns(transpose))
      fits = op->emitError("permutes other than the last two axes of a tile");
    if (succeeded(fits) && isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
      fits = checkProduct(op);
    return WalkResult(fits);
  });
  return failure(result.wasInterrupted());
}
