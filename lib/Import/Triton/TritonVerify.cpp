// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tt` dialect: what the import may assume of types, checked as text is
// read.

#include "drawloom/Import/Triton/Triton.h"

using namespace mlir;
using namespace drawloom::tt;

static ArrayRef<int64_t> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

static LogicalResult requireElement(Operation *op, Type source, Type result) {
  if (getElementTypeOrSelf(source) == getElementTypeOrSelf(result))
    return success();
  return op->emitOpError("changes the element type from ")
         << source << " to " << result;
}

LogicalResult MakeRangeOp::verify() {
  ArrayRef<int64_t> shape = getType().getShape();
  int64_t length = int64_t(getEnd()) - int64_t(getStart());
  if (shape.size() != 1 || shape[0] != length)
    return emitOpError("gives ") << length << " values, not " << getType();
  return success();
}

LogicalResult SplatOp::verify() {
  if (isa<ShapedType>(getSource().getType()))
    return emitOpError("takes a scalar, not ") << getSource().getType();
  return requireElement(*this, getSource().getType(), getType());
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSource().getType()),
                    to = shapeOf(getType());
  bool fits = from.size() == to.size();
  for (size_t i = 0; fits && i < from.size(); ++i)
    fits = from[i] == to[i] || from[i] == 1;
  if (!fits)
    return emitOpError("cannot stretch ")
           << getSource().getType() << " to " << getType();
  return requireElement(*this, getSource().getType(), getType());
}

LogicalResult ReshapeOp::verify() {
  if (cast<ShapedType>(getSource().getType()).getNumElements() !=
      cast<ShapedType>(getType()).getNumElements())
    return emitOpError("changes the number of elements");
  return requireElement(*this, getSource().getType(), getType());
}

LogicalResult ExpandDimsOp::verify() {
  SmallVector<int64_t> expected(shapeOf(getSource().getType()));
  if (getAxis() > expected.size())
    return emitOpError("has no axis ") << getAxis();
  expected.insert(expected.begin() + getAxis(), 1);
  if (shapeOf(getType()) != ArrayRef(expected))
    return emitOpError("cannot give ")
           << getType() << " from " << getSource().getType();
  return requireElement(*this, getSource().getType(), getType());
}

LogicalResult TransOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSource().getType()),
                    to = shapeOf(getType());
  ArrayRef<int32_t> order = getOrder();
  SmallVector<bool> used(from.size(), false);
  bool fits = order.size() == from.size() && to.size() == from.size();
  for (size_t i = 0; fits && i < order.size(); ++i) {
    fits = order[i] >= 0 && size_t(order[i]) < from.size() && !used[order[i]] &&
           to[i] == from[order[i]];
    if (fits)
      used[order[i]] = true;
  }
  if (!fits)
    return emitOpError("cannot permute ")
           << getSource().getType() << " to " << getType();
  return requireElement(*this, getSource().getType(), getType());
}

LogicalResult AddPtrOp::verify() {
  bool tensors = isa<RankedTensorType>(getType());
  if (tensors != isa<RankedTensorType>(getOffset().getType()) ||
      shapeOf(getType()) != shapeOf(getOffset().getType()))
    return emitOpError("adds offsets ")
           << getOffset().getType() << " to " << getType();
  return success();
}

/// A value moved through pointers has their shape and pointee.
static LogicalResult verifyMoved(Operation *op, Type pointers, Type value,
                                 Value mask) {
  auto pointee = cast<PointerType>(getElementTypeOrSelf(pointers)).getPointee();
  bool tensor = isa<RankedTensorType>(pointers);
  if (tensor != isa<RankedTensorType>(value) ||
      shapeOf(pointers) != shapeOf(value) ||
      getElementTypeOrSelf(value) != pointee)
    return op->emitOpError("moves ") << value << " through " << pointers;
  if (mask && shapeOf(mask.getType()) != shapeOf(pointers))
    return op->emitOpError("has a mask of type ") << mask.getType();
  return success();
}

LogicalResult LoadOp::verify() {
  if (getMasking().size() > 2 ||
      (getMask() && !getElementTypeOrSelf(getMask().getType()).isInteger(1)))
    return emitOpError("takes a mask of i1 and another value");
  if (getOther() && getOther().getType() != getType())
    return emitOpError("has another value of type ") << getOther().getType();
  return verifyMoved(*this, getPtr().getType(), getType(), getMask());
}

LogicalResult StoreOp::verify() {
  return verifyMoved(*this, getPtr().getType(), getValue().getType(),
                     getMask());
}

LogicalResult MakeTensorDescOp::verify() {
  RankedTensorType block = getType().getBlock();
  if (int64_t(getShape().size()) != block.getRank())
    return emitOpError("describes rank ")
           << getShape().size() << " with blocks of type " << block;
  return requireElement(*this, block, getBase().getType().getPointee());
}

static LogicalResult verifyBlock(Operation *op, DescriptorType descriptor,
                                 ValueRange indices, Type tile) {
  if (int64_t(indices.size()) != descriptor.getBlock().getRank())
    return op->emitOpError("takes ")
           << descriptor.getBlock().getRank() << " indices";
  return requireElement(op, descriptor.getBlock(), tile);
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getIndices(), getType());
}

LogicalResult DescriptorStoreOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getIndices(),
                     getValue().getType());
}

LogicalResult DotOp::verify() {
  ArrayRef<int64_t> a = shapeOf(getA().getType()),
                    b = shapeOf(getB().getType()), c = shapeOf(getType());
  size_t rank = a.size();
  bool fits = (rank == 2 || rank == 3) && b.size() == rank && c.size() == rank;
  fits = fits && a[rank - 1] == b[rank - 2] && c[rank - 2] == a[rank - 2] &&
         c[rank - 1] == b[rank - 1] &&
         (rank == 2 || (a[0] == b[0] && a[0] == c[0]));
  if (!fits)
    return emitOpError("cannot multiply ")
           << getA().getType() << " by " << getB().getType() << " to "
           << getType();
  return success();
}

LogicalResult ReduceOp::verify() {
  if (getSources().empty() || getSources().size() != getResults().size())
    return emitOpError("gives one result per operand");
  for (auto [source, result] : llvm::zip(getSources(), getResults())) {
    SmallVector<int64_t> expected(shapeOf(source.getType()));
    if (getAxis() >= expected.size())
      return emitOpError("has no axis ") << getAxis();
    expected.erase(expected.begin() + getAxis());
    if (shapeOf(result.getType()) != ArrayRef(expected))
      return emitOpError("cannot give ")
             << result.getType() << " from " << source.getType();
    if (failed(requireElement(*this, source.getType(), result.getType())))
      return failure();
  }
  Block &body = getCombine().front();
  if (body.getNumArguments() != 2 * getSources().size() || body.empty() ||
      !isa<ReduceReturnOp>(body.back()))
    return emitOpError(
        "combines two values per operand and returns with tt.reduce.return");
  return success();
}
